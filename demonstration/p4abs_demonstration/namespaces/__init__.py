"""The network of `p4abs demo`: network namespaces that nothing outside of them can see.

They have no names and end with their last process, so a demonstration that is killed leaves
nothing behind: every process that it starts ends with it.
"""
