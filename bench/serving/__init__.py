"""How soon a switch serves its controllers, each in a process of its own.

- `answers`: how soon a busy switch answers a Read, and obeys SIGTERM.
- `starting`: how soon switches serve, and what they hold in memory, beside BMv2.
- `provisioning`: how soon a switch takes programs and entries, and tells of them, beside BMv2.
"""
