"""The ports of a switch under control: what they begin with, who holds them, how they are left.

changes        ports that come and leave while the others go on
first_limits   the limits that policies begin at
releases       ports that people have returned to their safe limits
safe_limits    what a switch is left with
controls       controls as the settings ask for them
watch          what the switch says of its ports, as far as people should know
limits         what a limit is at first and at last, and between which bounds
"""
