"""Many cells: each simulated once, in a process of its own, and kept.

code        the code that a result depends on, and its key
store       finished cells on disk
process     a process that simulates one cell
workers     where cells are simulated: this machine, or a Dask cluster
scheduler   which cell is next, and who gets its result
progress    how far a run is
"""
