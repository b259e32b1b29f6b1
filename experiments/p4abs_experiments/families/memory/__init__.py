"""Links that share one memory.

sharing       who shares it out
priorities    who gets it first
"""
