"""What answers BMv2's calls: a class for each kind of object. Public methods are calls.

Names of objects come as the objects, see `handler`. What cannot be done raises Refusal, with the
codes of `refusals`.
"""
