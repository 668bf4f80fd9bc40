"""The blocks and commands that the documents show to people."""

import re
import shlex
import textwrap
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PATHS = sorted(path for folder in (".", "config", "docs", "profiles") for path in (ROOT / folder).glob("*.md"))
DOCUMENTS = [path for path in PATHS if path.name != "CHANGELOG.md"]  # which tells what was
COMMANDS = ("snakemake", "sinobench", "make", "python", "pip")
_FENCE = re.compile(r"^([ ]*)```(.*)\n((?:.*\n)*?)\1```$", re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@dataclass(frozen=True)
class Block:
    """What stands between two fences, or a span of code: ``language`` is blank where none is named."""

    document: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def file(self) -> str | None:
        """The file that the first line names in a comment."""
        named = re.match(r"# (\S+\.(?:py|yaml))\n", self.text)
        return named[1] if named else None


def fences() -> list[Block]:
    return [
        Block(_name(path), _line(text, found), found[2].strip(), textwrap.dedent(found[3]))
        for path, text in _texts()
        for found in _FENCE.finditer(text)
    ]


def commands() -> list[Block]:
    """Each command line of the blocks without a language, and each one within the text."""
    found = []
    for block in fences():
        if not block.language:
            lines = block.text.replace("\\\n", " ").splitlines()
            shown = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")] or lines
            found += [Block(block.document, block.line, "", line) for line in shown]
    return found + [span for span in spans() if len(span.text.split()) > 1 and program(span.text) in COMMANDS]


def spans() -> list[Block]:
    """Code within the text, on one line each."""
    texts = [(path, _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)) for path, text in _texts()]
    return [
        Block(_name(path), _line(text, found), "", " ".join(found[1].split()))
        for path, text in texts
        for found in _SPAN.finditer(text)
    ]


@dataclass(frozen=True)
class Table:
    """A table of a document below a heading; cells without the marks of code, white space at their ends taken off."""

    heading: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def dicts(self) -> list[dict[str, str]]:
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def tables(document: str) -> list[Table]:
    """The tables of a document in their order."""
    found, heading, within = [], "", False
    text = _FENCE.sub("", (ROOT / document).read_text(encoding="utf-8"))
    for line in text.splitlines():
        cells = tuple(cell.strip().replace("`", "") for cell in line.split("|")[1:-1])
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif cells and not within:
            found.append(Table(heading, cells, []))
        elif cells and not re.fullmatch(r"[-:| ]+", line):
            found[-1].rows.append(cells)
        within = bool(cells)
    return found


def program(line: str) -> str:
    """The program of a command line, without assignments before it and folder."""
    words = [word for word in line.split() if not re.match(r"[A-Z_]+=", word)]
    return Path(words[0]).name if words else ""


def split(line: str) -> tuple[dict[str, str], list[str]]:
    """The variables before a command, and its arguments."""
    words = shlex.split(line, comments=True)
    variables = list(takewhile(re.compile(r"[A-Z_]+=").match, words))
    return dict(word.split("=", 1) for word in variables), words[len(variables) + 1 :]


def entries(block: Block) -> dict:
    """The catalog entries of a block of YAML; none where it is a config."""
    found = yaml.safe_load(block.text)
    are = [isinstance(value, dict) and "task" in value for value in found.values()]
    assert all(are) or not any(are), f"{block.place}: catalog entries and keys of a config are two blocks"
    return found if all(are) else {}


def _texts() -> list[tuple[Path, str]]:
    return [(path, path.read_text(encoding="utf-8")) for path in DOCUMENTS]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _line(text: str, found: re.Match) -> int:
    return text.count("\n", 0, found.start()) + 1
