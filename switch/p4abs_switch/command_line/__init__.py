"""What command lines are made of: how a command is run and refused, options that belong together,
quantities as people write them, and streams that nobody reads.
"""
