"""The running switch: device, gRPC service, and all that is started and ended with them.

`config` is what it is started with (`observation`, `tls`; `errors`: what can be wrong with it).
`device` answers requests, `service` hands them over from gRPC, `engine_reader` brings what the
engine has. `serve` starts and ends it all, `supervision` sees that its parts live and die together,
on `threads`.
"""
