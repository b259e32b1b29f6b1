"""The running switch: what is started and ended with its engine and its P4Runtime server.

`config` is what it is started with (`observation`, `tls`; `errors`: what can be wrong with it).
`serve` starts and ends all parts. `supervision` ends all of them if one dies. `threads` run them.
"""
