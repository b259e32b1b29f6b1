"""A fleet under traffic: switches on one core, `p4abs control` on another.

- `switches`: four embedded switches of 250 ports each, in a namespace with their traffic.
- `controller`: `p4abs control` as a process: what it says of the switches, what it takes.
- `viewers`: those who read its metrics and page, and whether it keeps its time meanwhile.
- `reader`: a process that reads a URL now and then, as a scraper or a viewer does.
- `witness`: a process that notices when the machine itself stands still.
- `cost`: what 1 to 1000 ports cost, and how well the loops keep time.
- `recovery`: how soon a switch that restarts, or whose controller dies, is under control again.
"""
