"""Traffic in both directions between two links: data of one share a queue with the
acknowledgements of the other."""

from dataclasses import replace

from p4abs_experiments.network.traffic import TcpFlows


def both_ways(flows: TcpFlows, there: str, back: str) -> tuple[TcpFlows, TcpFlows]:
    """The flows over `there`, with acknowledgements over `back`, and as many the other way round.

    The entries are named after the links that their data take.
    """
    return (
        replace(flows, path=(there,), reverse_path=(back,), name=there),
        replace(flows, path=(back,), reverse_path=(there,), name=back),
    )
