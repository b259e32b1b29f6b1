"""In which state each port of a switch is: one cause, judged over windows, with hysteresis.

No clock, no input or output; arrays over ports. From the ground up:

- `state`: the states and their words.
- `second`: what ports did in about a second, which is all that is judged.
- `window`: sums over several drop events, or over a time without any.
- `hysteresis`: what has to be clear before a port changes its state.
- `judgement`: a state for each port, second by second.
"""

from p4abs.states.judgement import Judgement, Wanted
from p4abs.states.second import Second
from p4abs.states.state import PortState

__all__ = ["Judgement", "PortState", "Second", "Wanted"]
