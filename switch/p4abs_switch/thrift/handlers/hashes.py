"""What can be set of hashes, by their names in the program's JSON."""

from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import Binary, Text
from p4abs_switch.thrift.refusals import Codes, HashCode
from p4abs_switch.thrift.structures import Crc16Parameters, Crc32Parameters

_WORD_BYTES = 4


class Hashes(OfTarget):
    """`bm_set_...` calls."""

    codes = Codes(other=HashCode.WRONG_TYPE_CALCULATION, unknown=HashCode.INVALID_CALCULATION_NAME)

    def bm_set_crc16_custom_parameters(self, calc_name: Text, crc16: Crc16Parameters) -> None:
        self.target.engine.set_crc16(calc_name, _parameters(crc16, 16))

    def bm_set_crc32_custom_parameters(self, calc_name: Text, crc32: Crc32Parameters) -> None:
        self.target.engine.set_crc32(calc_name, _parameters(crc32, 32))

    def bm_set_toeplitz_hash_key(self, calc_name: Text, key: Binary) -> None:
        if not key or len(key) % _WORD_BYTES:
            reason = f"a key of {len(key)} bytes; valid: 4, 8, 12 and so on"
            raise Refusal(HashCode.INVALID_CONFIG_OR_KEY, reason)
        self.target.engine.set_toeplitz_key(calc_name, key)


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
