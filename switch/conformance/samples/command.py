"""`python -m conformance samples P4C`: programs pushed and read back, on both switches."""

from collections.abc import Sequence
from pathlib import Path

from p4abs_switch.p4info_text import parse_p4info
from p4abs_switch.protobuf import p4r
from p4abs_switch.testbed.simple_switch import PROGRAM

from conformance.p4c.command import Runs
from conformance.p4c.compilation import Compiled, compiled
from conformance.p4c.programs import EVERYWHERE, Program, of_p4c
from conformance.samples.comparison import Result, compared
from conformance.samples.report import sections, unexplained
from conformance.samples.switches import SwitchUnderTest, bmv2, embedded
from conformance.workplace.compiler import DoesNotCompile


def _run(_p4c: Path, programs: Sequence[Program], folder: Path) -> dict[str, Result]:
    """What comes of each that p4c compiles."""
    outcomes: dict[str, Result] = {}
    with SwitchUnderTest(embedded) as here, SwitchUnderTest(bmv2) as there:
        for program in programs:
            try:
                config = _config(compiled(program, folder / program.name, with_p4info=True))
            except DoesNotCompile as error:
                print(f"{program.name}: not compiled: {error}", flush=True)
                continue
            result = compared(program.name, here.answers(config), there.answers(config))
            outcomes[program.name] = result
            for difference in unexplained({program.name: result}):
                print(difference, flush=True)
    return outcomes


def _config(program: Compiled) -> p4r.ForwardingPipelineConfig:
    return p4r.ForwardingPipelineConfig(
        p4info=parse_p4info(program.p4info.read_text()), p4_device_config=program.json.read_bytes()
    )


SAMPLES = Runs(
    name="samples",
    help="p4c's programs over P4Runtime, pushed and read back.",
    find=lambda p4c: of_p4c(p4c, EVERYWHERE),
    run=_run,
    sections=sections,
    unexplained=unexplained,
    needed={PROGRAM: "BMv2"},
)
