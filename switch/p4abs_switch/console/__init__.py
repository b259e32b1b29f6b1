"""The commands of BMv2's simple_switch_CLI, said over P4Runtime.

From the ground up:

- `values`, `data`: numbers and values as people write and read them.
- `session`: the switch, called one request after the other, by P4Runtime and by the service for
  ports beside it; `programs`: what is pushed to it.
- `matches`, `actions`: a table entry's parts as text.
- `commands`: one module per kind of object, each a class of `do_COMMAND` methods, for any switch
  that the runtime library knows; `refused`: those for which P4Runtime has no message.
- `reading`, `digests`: what `p4abs read` shows.
- `shell`: all of them at a prompt, from a file or a pipe.

Syntax and words are those of BMv2's tools/runtime_CLI.py and targets/simple_switch/sswitch_CLI.py.
"""
