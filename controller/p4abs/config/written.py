"""The switches of a file: `[[switch]]` tables, or one `[switch]` with `[[port]]` tables."""

from p4abs.config.source import ConfigError, Source


def written_switches(file: Source) -> list[Source]:
    """Each switch as a table with a list `port` of tables; the only one where none is named.

    Raises ConfigError for other shapes.
    """
    written = file.tables.get("switch", {})
    if isinstance(written, list):
        if "port" in file.tables:
            raise _refused(
                file, "port", "with [[switch]] tables, write each [[port]] as [[switch.port]]"
            )
        switches = [file.part("switch", index) for index in range(len(written))]
        if not switches:
            raise _refused(file, "switch", "there is no switch; write a [[switch]] table for each")
    else:
        switches = [_only_switch(file)]
    return [_with_ports(switch) for switch in switches]


def _only_switch(file: Source) -> Source:
    """[switch], or nothing, with the file's [[port]] tables as its ports."""
    switch = file.part("switch") if "switch" in file.tables else Source({}, _around(file))
    if "port" not in file.tables or not isinstance(switch.tables, dict):
        return switch
    if "port" in switch.tables:
        raise _refused(
            file, "port", "write a switch's ports as [[port]] or as [[switch.port]], not both"
        )
    places = {key: place for key, place in file.places.items() if key[:1] == ("port",)}
    return Source(
        {**switch.tables, "port": file.tables["port"]},
        {**switch.places, **places},
    )


def _around(file: Source) -> dict[tuple[str | int, ...], str]:
    return {(): file.places[()]} if () in file.places else {}


def _with_ports(switch: Source) -> Source:
    ports = switch.tables.get("port", []) if isinstance(switch.tables, dict) else None
    if not isinstance(ports, list) or not all(isinstance(port, dict) for port in ports):
        place = switch.place(("port",)) or "settings"
        raise ConfigError(
            f"{place}: write each switch as a [[switch]] table and its ports as [[switch.port]] "
            "tables, or a single switch as [switch] and its ports as [[port]]"
        )
    return Source({**switch.tables, "port": ports}, switch.places)


def _refused(file: Source, table: str, message: str) -> ConfigError:
    place = next((place for key, place in file.places.items() if key[:1] == (table,)), None)
    return ConfigError(f"{place or file.place(()) or 'settings'}: {message}")
