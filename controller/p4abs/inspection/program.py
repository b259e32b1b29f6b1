"""Whether the switch's program is the one that is wanted and has what ABS needs, by its P4Info."""

from p4abs.access.program import MissingObjects, Program
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome


def check_identity(
    installed: Program | None, cookie: int, wanted: Program | None, switch: SwitchSettings
) -> Finding:
    """Whether the switch runs the program `wanted` of push-pipeline; None: any will do."""
    if wanted is None and installed is None:
        return _found(Outcome.DIFFERS, "the switch runs none, and push-pipeline names none to push")
    if wanted is None:
        return _found(Outcome.OK, "the switch runs one, and push-pipeline asks for no other")
    if installed is None:
        return _found(
            Outcome.NOT_CHECKED,
            f"the switch runs none yet; `p4abs control` pushes {switch.push_pipeline}",
        )
    if cookie != wanted.cookie:
        return _found(
            Outcome.DIFFERS,
            f"what the switch runs has not the cookie of {switch.push_pipeline}: `p4abs control` "
            "pushes that, which empties tables and registers",
        )
    return _found(Outcome.OK, f"the switch runs {switch.push_pipeline}")


def check_registers(program: Program) -> Finding:
    """Whether all registers are there that no program may leave out."""
    try:
        program.register_ids()
    except MissingObjects as error:
        return Finding(Outcome.DIFFERS, "registers", str(error))
    text = f"the program has them, for the ports 0 to {program.port_count() - 1}"
    return Finding(Outcome.OK, "registers", text)


def check_mailbox(program: Program, *, is_needed: bool) -> list[Finding]:
    """Whether the mailbox's headers are there; whether it answers is not for readers to find out.

    A packet into the mailbox changes registers (p4src/mailbox.p4) and is the primary's to send.
    """
    try:
        for header in ("packet_out", "packet_in"):
            program.mailbox_ids(header)
        program.mailbox_record_bits()
    except MissingObjects as error:
        outcome = Outcome.DIFFERS if is_needed else Outcome.NOT_CHECKED
        return [Finding(outcome, "mailbox", str(error))]
    return [
        Finding(Outcome.OK, "mailbox", "the program has its headers"),
        Finding(
            Outcome.NOT_CHECKED,
            "mailbox",
            "whether it answers; that is the primary controller's to try, and writes registers",
        ),
    ]


def _found(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "program", text)
