"""What can be set of hashes, by their names in the program's JSON."""

from contextlib import AbstractContextManager

from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import HashCode, refusals
from p4abs_switch.thrift.structures import Crc16Parameters, Crc32Parameters
from p4abs_switch.thrift.target import Target

_WORD_BYTES = 4


class Hashes:
    """`bm_set_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_set_crc16_custom_parameters(
        self, cxt_id: I32, calc_name: Text, crc16_config: Crc16Parameters
    ) -> None:
        with _refusals():
            self._target.engine.set_crc16(calc_name, _parameters(crc16_config, 16))

    def bm_set_crc32_custom_parameters(
        self, cxt_id: I32, calc_name: Text, crc32_config: Crc32Parameters
    ) -> None:
        with _refusals():
            self._target.engine.set_crc32(calc_name, _parameters(crc32_config, 32))

    def bm_set_toeplitz_hash_key(self, cxt_id: I32, calc_name: Text, key: Binary) -> None:
        if not key or len(key) % _WORD_BYTES:
            reason = f"a key of {len(key)} bytes; valid: 4, 8, 12 and so on"
            raise Refusal(HashCode.INVALID_CONFIG_OR_KEY, reason)
        with _refusals():
            self._target.engine.set_toeplitz_key(calc_name, key)


def _refusals() -> AbstractContextManager[None]:
    return refusals(HashCode.WRONG_TYPE_CALCULATION, unknown=HashCode.INVALID_CALCULATION_NAME)


def _parameters(
    given: Crc16Parameters | Crc32Parameters, bits: int
) -> tuple[int, int, int, bool, bool]:
    ones = (1 << bits) - 1
    return (
        given.polynomial & ones,
        given.initial_remainder & ones,
        given.final_xor_value & ones,
        given.data_reflected,
        given.remainder_reflected,
    )
