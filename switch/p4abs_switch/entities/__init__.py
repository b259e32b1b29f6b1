"""The entities of P4Runtime: how each kind is written to the engine and read from it."""
