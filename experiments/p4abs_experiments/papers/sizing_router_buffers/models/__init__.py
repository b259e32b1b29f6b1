"""The formulas of the paper that measurements are compared with."""
