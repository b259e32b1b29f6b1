"""The running switch: what is started and ended with its engine and its P4Runtime server.

`config` is what it is started with (`observation`, `tls`; `errors`: what can be wrong with it).
`serve` starts and ends it all, `supervision` sees that its parts live and die together, on
`threads`.
"""
