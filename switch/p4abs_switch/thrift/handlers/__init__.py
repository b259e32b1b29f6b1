"""What answers BMv2's calls: a class for each kind of object. Public methods are calls.

Their first argument is a context, of which a switch has one: any number will do. Methods raise
Refusal with the codes of `refusals`.
"""
