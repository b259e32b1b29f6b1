"""How new settings change the switches of a run."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from p4abs.cli.switch_maker import SwitchMaker, load_programs, program_key
from p4abs.config import Settings, SwitchSettings, differences
from p4abs.control import free_phase
from p4abs.errors import UserError
from p4abs.session import is_adoptable
from p4abs.telemetry import WatchedSwitch

Switches = Mapping[str, WatchedSwitch]


@dataclass(frozen=True)
class Changes:
    """What a reload does, by the switches' names; `order` has all names.

    `adopted`: new settings of switches whose control goes on; `differences`: what is new about
    them. `begun`: switches that are new or begin anew. `ended`: switches that are gone or begin
    anew, each with the begun one at its device, if there is one. `awaited`: the ended switches that
    a begun one has to wait for.
    """

    order: tuple[str, ...]
    adopted: Mapping[str, SwitchSettings]
    begun: Switches
    ended: Mapping[str, WatchedSwitch | None]
    awaited: Mapping[str, Collection[str]]
    differences: Mapping[str, str]

    @property
    def text(self) -> str:
        kinds = {
            "changed": [f"{name} ({what})" for name, what in self.differences.items()],
            "started again": [name for name in self.begun if name in self.ended],
            "added": [name for name in self.begun if name not in self.ended],
            "removed": [name for name in self.ended if name not in self.begun],
        }
        texts = [f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names]
        return "; ".join(texts) or "changed: nothing"


def find_changes(
    present: Switches, failed: Collection[str], settings: Settings, maker: SwitchMaker
) -> Changes:
    """What has to happen to the present switches; control of the `failed` ones has ended.

    Changes nothing. Raises UserError for impossible settings.
    """
    wanted = {each.name: each for each in settings.switch}
    fitted = {}
    for switch in settings.switch:
        running = _at_same_device(present.values(), switch)
        # It is known what this program can serve, but not what another one can.
        if running is not None and program_key(running.settings) == program_key(switch):
            fitted[switch.name] = _fitted(running, switch)
    staying = [
        name
        for name, before in present.items()
        if name in fitted and name not in failed and is_adoptable(before.settings, fitted[name])
    ]
    if maker.replica is not None:
        _check_order(staying, [*present], [*wanted])
    ended = {name: switch for name, switch in present.items() if name not in staying}
    awaited = {
        name: _before(switch, ended.values())
        for name, switch in wanted.items()
        if name not in staying
    }
    begun = _make(settings, [present[name] for name in staying], maker)
    adopted = [name for name in staying if fitted[name] != present[name].settings]
    return Changes(
        tuple(wanted),
        {name: wanted[name] for name in adopted},
        begun,
        {name: _at_same_device(begun.values(), each.settings) for name, each in ended.items()},
        awaited,
        {name: differences(present[name].settings, fitted[name]) for name in adopted},
    )


def _check_order(staying: Iterable[str], present: list[str], wanted: list[str]) -> None:
    """Raises UserError. Replicas share switches by their places in the list."""
    for name in staying:
        if present.index(name) != wanted.index(name):
            raise UserError(
                f"{name}: its place among the switches must not change, because replicas share "
                "switches by place; add switches at the end, or restart all controllers"
            )


def _fitted(present: WatchedSwitch, settings: SwitchSettings) -> SwitchSettings:
    """The settings as the switch's program can serve them. Raises UserError."""
    try:
        return present.controller.fitted(settings)
    except UserError as error:
        raise UserError(f"{settings.name}: {error}") from None


def _make(settings: Settings, staying: Iterable[WatchedSwitch], maker: SwitchMaker) -> Switches:
    """The switches that begin."""
    phases = {switch.name: switch.controller.phase for switch in staying}
    programs, begun = load_programs(settings), {}
    for index, switch in enumerate(settings.switch):
        if switch.name not in phases:
            phase = phases[switch.name] = free_phase(phases.values())
            begun[switch.name] = maker.make(switch, programs, index, phase)
    return begun


def _at_same_device(
    switches: Iterable[WatchedSwitch], settings: SwitchSettings
) -> WatchedSwitch | None:
    return next((each for each in switches if each.settings.device == settings.device), None)


def _before(begun: SwitchSettings, ended: Iterable[WatchedSwitch]) -> set[str]:
    """The ended switches whose sessions must end first, because they may be the same switch at
    another address."""
    return {each.name for each in ended if each.name == begun.name or each.settings.may_be(begun)}
