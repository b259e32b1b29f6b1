"""BMv2's Thrift services: what `simple_switch_CLI` and labs without P4Runtime speak.

From the ground up:

- `protocol`: Thrift's binary protocol, services as classes whose annotations say what goes over
  the wire, and the server.
- `structures`, `refusals`: what BMv2's calls take, give and refuse.
- `target`: the switch as the handlers see it, by the names in its program's JSON; `handles`,
  `keys`, `actions`: entries by number and their parts.
- `learning`, `notifications`: digests, in messages that are published over nanomsg.
- `handlers`: one class for each kind of object; each public method is a call.
- `services`: which handlers make up which service.

Calls go to the running program, beside P4Runtime and without arbitration, as in BMv2.
"""
