"""What a file is by its bytes, whatever its name says: code, an archive, a pickle. Nothing is executed or unpacked."""

import contextlib
import io
import pickletools
import zipfile
from collections.abc import Iterable
from pathlib import Path

from sinobench.errors import short

_HEAD_BYTES = 1 << 20
_MOST_OPCODES = 200_000
_MACHO = ("feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe", "bebafeca", "cafebabf")
_STARTS = {
    b"\x7fELF": "a program (ELF)",
    **{bytes.fromhex(magic): "a program (Mach-O) or a Java class" for magic in _MACHO},
    b"\0asm": "a program (WebAssembly)",
    b"dex\n": "a program (Android)",
    b"\x89HDF\r\n\x1a\n": "HDF5, in which Keras keeps code",
    b"\x93NUMPY": "a NumPy file, which can hold pickled objects",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\0": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x04\x22\x4d\x18": "an lz4 archive",
    b"!<arch>\n": "an ar archive",
    b"GGUF": "GGUF, which no loader here reads",
}
# What makes a pickle more than data: it names something to import, and calls it.
_IMPORTS = frozenset(("GLOBAL", "STACK_GLOBAL"))
_CALLS = frozenset(("INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "REDUCE", "BUILD"))
_PICKLES = (".pkl", ".pickle")


def forbidden(path: Path) -> str | None:
    """What a file is that no model needs, by its content; None where it is nothing of that kind."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if kind := next((kind for start, kind in _STARTS.items() if head.startswith(start)), None):
        return kind
    if head[:2] == b"MZ" and b"\0" in head[:64]:
        return "a program (PE)"
    if head[:2] == b"#!" and head[2:64].lstrip(b" \t").startswith((b"/", b"env")):
        first = head[:64].partition(b"\n")[0].decode("utf-8", "replace")
        return f"a script: it begins with '{short(first)}'"
    if head[2:4] == b"\r\n" and head[4:8] in (b"\0\0\0\0", b"\1\0\0\0", b"\3\0\0\0"):
        return "compiled Python"
    if head[257:262] == b"ustar":
        return "a tar archive"
    return _zip(path) or _pickle(head)


def _pickle(head: bytes) -> str | None:
    """Whether bytes begin with a pickle; one of the text protocol, which has no mark, where it calls something."""
    is_marked = head[:1] == b"\x80" and head[1:2] in (b"\2", b"\3", b"\4", b"\5")
    names: list[str] = []
    strings: list[str] = []
    opcodes = set()
    # Whatever ends it, what stood before it counts.
    with contextlib.suppress(ValueError, OverflowError, MemoryError, IndexError):
        for i, (opcode, argument, _) in enumerate(pickletools.genops(io.BytesIO(head))):
            opcodes.add(opcode.name)
            if opcode.name in _IMPORTS | _CALLS:
                names.append(_imported(opcode.name, argument, strings))
            elif isinstance(argument, str):
                strings = [*strings[-1:], argument]
            if i > _MOST_OPCODES:
                break
    if is_marked or ("STOP" in opcodes and opcodes & _CALLS):
        imported = ", ".join(dict.fromkeys(name for name in names if name))
        return "a pickle" + (f", which imports {short(imported)}" if imported else "")
    return None


def _imported(opcode: str, argument: object, strings: list[str]) -> str:
    if opcode in ("GLOBAL", "INST"):
        return str(argument).replace(" ", ".")
    return ".".join(strings) if opcode == "STACK_GLOBAL" else ""


def _zip(path: Path) -> str | None:
    """Whether a zip can be opened here, wherever in the file it begins; its members are counted, none is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile:
        return None
    except (ValueError, NotImplementedError) as error:  # a list of members there is, which another reader may read
        return f"a zip archive that can't be looked into ({short(str(error))})"
    except MemoryError:
        return "a zip archive with more members than fit in memory"
    if not members:
        return None
    told = [f"{len(members)} members", *_told(members)]
    return f"a zip archive ({', '.join(told)})"


def _told(members: Iterable[zipfile.ZipInfo]) -> list[str]:
    members = list(members)
    told = [f"'{short(m.filename)}' is a pickle" for m in members if m.filename.lower().endswith(_PICKLES)]
    told += [f"'{short(m.filename)}' leaves the folder" for m in members if _leaves(m.filename)]
    expanded, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members)
    if expanded > 100 * max(packed, 1):
        told.append(f"{expanded:,} bytes of {packed:,}")
    return told[:3]


def _leaves(name: str) -> bool:
    return name.startswith(("/", "\\")) or ":" in name or ".." in name.replace("\\", "/").split("/")
