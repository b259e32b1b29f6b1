"""What the data plane sees of flows, and what comes of it.

flows             how many there are, and their round-trip times, against the truth
steps             flows that join and leave: how soon the limit follows
starts            few flows that begin on a silent link: how soon targets are met
measured_rules    sizing rules on what is measured, against the same rules on the truth
joining           flows that join others and leave again
truth             what is true of flows, whatever is measured
over_time         pictures of limits and flows over time
"""
