"""The seeds' tables and figures in virtual time, with the real P4 program and policies."""
