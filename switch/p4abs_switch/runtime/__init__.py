"""BMv2's runtime API, carried out with P4Runtime's messages: what BMv2's Thrift services and
command line do.

From the ground up:

- `names`: a program's objects, those of a P4Info, by name.
- `switch`: what answers reads and writes; `local`: a program in this process.
- `matches`, `actions`: parts of entries as numbers, as BMv2 has them.
- `handles`: entries by number; `tables`, `profiles`, `cells` (of counters and registers), `meters`,
  `value_sets`, `replication`: what can be done with each kind of object; `objects`: all of it.

Names and values that the program does not know raise InputError; refusals of a switch raise its own
errors.
"""
