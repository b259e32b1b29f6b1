"""Which digests are sent, and how: Write and Read of DigestEntry (P4Runtime 1.5, section 9.8)."""

from collections.abc import Iterator

from finsy.proto import p4r

from p4abs_switch.entities.kind import Change, Kind
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.status import Code, RequestError, invalid


def write(loaded: LoadedProgram, change: Change, entry: p4r.DigestEntry) -> None:
    """Enables a digest, changes how it is sent, or disables it. Raises RequestError."""
    digest = loaded.program.digest(entry.digest_id)
    is_enabled = digest.id in loaded.digest_configs
    if change == p4r.Update.INSERT and is_enabled:
        raise RequestError(Code.ALREADY_EXISTS, f"digest {digest.name} is enabled already")
    if change != p4r.Update.INSERT and not is_enabled:
        raise RequestError(Code.NOT_FOUND, f"digest {digest.name} is not enabled")
    if change == p4r.Update.DELETE:
        del loaded.digest_configs[digest.id]
        return
    config = entry.config
    if min(config.max_timeout_ns, config.max_list_size, config.ack_timeout_ns) < 0:
        raise invalid(f"digest {digest.name}: timeouts and max_list_size cannot be negative")
    loaded.digest_configs[digest.id] = p4r.DigestEntry.Config.FromString(config.SerializeToString())


def read(loaded: LoadedProgram, wanted: p4r.DigestEntry) -> Iterator[p4r.Entity]:
    """The digest of an id if it is enabled; id 0 is every enabled digest. Raises RequestError."""
    if wanted.digest_id:
        loaded.program.digest(wanted.digest_id)
    configs = [
        (digest_id, config)
        for digest_id, config in loaded.digest_configs.items()
        if wanted.digest_id in (0, digest_id)
    ]
    return (
        p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=digest_id, config=config))
        for digest_id, config in configs
    )


KIND = Kind[p4r.DigestEntry](
    name="digest_entry",
    object_id=lambda entry: entry.digest_id,
    write=write,
    read=read,
    wildcards=(p4r.Entity(digest_entry=p4r.DigestEntry()),),
)
