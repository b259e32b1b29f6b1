"""Links that share one memory.

sharing       who shares it out
priorities    who gets it first
lending       what becomes of what some do not use
"""
