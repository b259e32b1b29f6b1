"""What the demonstration starts and how all of it ends: the ledger of processes, and Ctrl-C."""
