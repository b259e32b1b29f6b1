"""BMv2's runtime API, said in P4Runtime's messages: what its Thrift and its command line do.

From the ground up:

- `names`: a program's objects, those of a P4Info, by name.
- `switch`: what answers reads and writes; `local`: a program in this process.
- `matches`, `actions`: parts of entries as numbers, as BMv2 has them; `cells`: places in arrays.
- `handles`: entries by number; `tables`, `profiles`, `counters`, `meters`, `registers`,
  `value_sets`, `replication`: what can be done with each kind of object.

What means nothing to the program is an InputError; a switch that refuses raises errors of its own.
"""
