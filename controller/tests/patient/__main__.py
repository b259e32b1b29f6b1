"""See controller.tests.patient."""

import os
from importlib import import_module

from p4abs.__main__ import main

from controller.tests.patient import PATIENCE_S, wait_long

os.environ["GRPC_VERBOSITY"] = "NONE"  # as main() has it, before gRPC is imported
wait_long()
import_module("p4abs.session.attempts").FIRST_ANSWER_S = PATIENCE_S
main()
