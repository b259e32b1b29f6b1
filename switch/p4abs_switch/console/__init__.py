"""The commands of BMv2's simple_switch_CLI, said over P4Runtime.

From the ground up:

- `error`, `values`: what cannot be done; numbers as BMv2 writes them.
- `names`: the program's objects by full name or by an ending that only one has.
- `session`: the switch, called one request after the other, by P4Runtime and by the service for
  ports beside it.
- `matches`, `actions`: a table entry's parts as text; `handles`: entries by number.
- `commands`: one module per kind of object, each a class of `do_COMMAND` methods; `refused`: those
  for which P4Runtime has no message.
- `reading`, `digests`, `data`: what `p4abs read` shows.
- `shell`: all of them at a prompt, from a file or a pipe.

Syntax and words are those of BMv2's tools/runtime_CLI.py and targets/simple_switch/sswitch_CLI.py.
"""

from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell

__all__ = ["Session", "Shell"]
