"""The switch, called one request after the other."""

from collections.abc import Sequence
from typing import Self

from google.protobuf.struct_pb2 import Struct
from grpc import StatusCode

from p4abs_switch import port_service
from p4abs_switch.client import Connection, RpcError
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.switch import Switch


class Session(Switch):
    """Use it with `with`. Entering raises RpcError, or InputError without a program."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_saved = False

    def __enter__(self) -> Self:
        self._connection.__enter__()
        try:
            p4info = self._connection.installed_p4info()
            if p4info is None:
                raise InputError(
                    f"{self._connection.address}: the switch runs no program whose P4Info it "
                    "knows; push one with p4abs runtime, or start it with PROGRAM.json"
                )
        except BaseException:
            self._connection.__exit__()
            raise
        self.names = Names(p4info)
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.__exit__()

    def fetch(self, wanted: p4r.Entity) -> Sequence[p4r.Entity]:
        return self._connection.read(wanted)

    def write(self, update: p4r.Update) -> None:
        self._connection.write(update)

    def ask_ports(self, method: port_service.Method) -> Struct:
        """What the service beside P4Runtime tells. Raises RpcError."""
        return self._connection.call_ports(method, {})

    def change_ports(self, method: port_service.Method, **fields: port_service.Value) -> Struct:
        """Lets that service change something. Raises RpcError."""
        return self._connection.change_ports(method, fields)

    def device_config(self) -> bytes:
        """The program in its target's form. Raises RpcError, and InputError if it is gone."""
        return self._config().p4_device_config

    def reset(self) -> None:
        """Pushes the program again, so that it starts empty. Raises as device_config() does.

        A program that waits for swap() goes on waiting.
        """
        push = self._connection.save_config if self._is_saved else self._connection.push_config
        push(self._config())

    def save(self, program: p4r.ForwardingPipelineConfig) -> None:
        """Lets a program wait for swap(); it is the one that is written and read from now on.

        Raises RpcError.
        """
        self._connection.save_config(program)
        self._is_saved = True
        self.names = Names(program.p4info)

    def swap(self) -> None:
        """Runs the program that waits. Raises RpcError, and InputError if there is none."""
        try:
            self._connection.commit_saved()
        except RpcError as error:
            if error.code is StatusCode.NOT_FOUND:
                raise InputError("no program waits; load_new_config_file loads one") from None
            raise
        self._is_saved = False

    def _config(self) -> p4r.ForwardingPipelineConfig:
        config = self._connection.installed_config()
        if config is None:
            raise InputError("the switch runs no program any more; push one with p4abs runtime")
        return config
