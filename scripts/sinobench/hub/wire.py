"""Protocol buffers' wire format, walked field by field over mapped bytes: nothing is copied but what is asked for.

https://protobuf.dev/programming-guides/encoding/
"""

from collections.abc import Iterator
from dataclasses import dataclass

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_MOST_FIELDS = 5_000_000


class Malformed(ValueError):
    """Bytes that are no message, or one that no honest writer makes."""


@dataclass
class Budget:
    """How many more fields may be read of one file."""

    fields: int = _MOST_FIELDS

    def take(self) -> None:
        """Count one field. Raises Malformed where there have been too many."""
        self.fields -= 1
        if self.fields < 0:
            raise Malformed(f"has more than {_MOST_FIELDS:,} fields")


@dataclass(frozen=True)
class Message:
    """The bytes of a message, from ``start`` to ``end``."""

    data: memoryview
    start: int
    end: int
    budget: Budget

    def __len__(self) -> int:
        return self.end - self.start

    def fields(self) -> Iterator[tuple[int, int, "int | Message"]]:
        """Number, wire type and value of each field: an integer, or the bytes as a message, whatever is in them.

        Raises Malformed.
        """
        at = self.start
        while at < self.end:
            self.budget.take()
            key, at = self._varint(at)
            number, kind = key >> 3, key & 7
            value: int | Message
            if kind == VARINT:
                value, at = self._varint(at)
            elif kind in (FIXED64, FIXED32):
                size = 8 if kind == FIXED64 else 4
                value, at = self._inside(at, size), at + size
            elif kind == BYTES:
                size, at = self._varint(at)
                value, at = self._inside(at, size), at + size
            else:
                raise Malformed(f"has a field of wire type {kind}")
            if not number:
                raise Malformed("has a field with the number 0")
            yield number, kind, value

    def bytes(self, most: int = 1 << 16) -> bytes:
        """A copy of what it holds. Raises Malformed for more than ``most`` bytes."""
        if len(self) > most:
            raise Malformed(f"has {len(self):,} bytes where at most {most:,} make sense")
        return bytes(self.data[self.start : self.end])

    def text(self) -> str:
        """What it holds as text. Raises Malformed for what is none, or is too long."""
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            raise Malformed("has text that is not UTF-8") from None

    def varints(self) -> Iterator[int]:
        """The integers of a packed field."""
        at = self.start
        while at < self.end:
            self.budget.take()
            value, at = self._varint(at)
            yield value

    def _inside(self, at: int, size: int) -> "Message":
        if at + size > self.end:
            raise Malformed(f"has a field of {size:,} bytes where {self.end - at:,} are left")
        return Message(self.data, at, at + size, self.budget)

    def _varint(self, at: int) -> tuple[int, int]:
        value = shift = 0
        while at < self.end and shift < 70:
            byte = self.data[at]
            value, at, shift = value | (byte & 0x7F) << shift, at + 1, shift + 7
            if byte < 0x80:
                return value & 0xFFFFFFFFFFFFFFFF, at
        raise Malformed("ends within a number")


def signed(value: int) -> int:
    """A varint as the signed 64-bit integer that it stands for."""
    return value - (1 << 64) if value >> 63 else value
