"""A training corpus while it is read: its utterances, its files by name, and what is set aside."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from sinobench.errors import InputError, is_not_text, printable, private
from sinobench.guard import regular
from sinobench.merlion.training.reasons import Reason
from sinobench.merlion.training.tables import Utterance

_AUDIO = (".flac", ".wav")
_log = logging.getLogger(__name__)


class Reading:
    """The utterances and the rows set aside while one corpus is read."""

    def __init__(
        self,
        corpus: str,
        folder: str | Path,
        set_aside: list[dict] | None,
        on_bad: str,
        utterances: list[Utterance] | None,
    ) -> None:
        self.corpus, self.folder, self.on_bad = corpus, Path(folder), on_bad
        self.set_aside = [] if set_aside is None else set_aside
        self.utterances = [] if utterances is None else utterances
        self._speech_ms = 0
        self._lengths: dict[Path, int] = {}
        self._earlier = len(self.set_aside)
        if on_bad not in ("fail", "quarantine"):
            raise InputError(f"on_bad is '{on_bad}'; expected fail or quarantine")
        if not self.folder.is_dir():
            raise InputError(f"is no folder; give the one with the corpus {corpus}", folder)

    def root(self, *places: str) -> Path:
        """The first of the places that exists."""
        for place in places:
            if (self.folder / place).is_dir():
                return self.folder / place
        raise InputError(f"has no folder {' or '.join(places)}", self.folder)

    def audio(self, root: Path, deep: bool = True) -> list[Path]:
        """Audio files in the order of their paths; InputError where two have one name, or there is none."""
        files = sorted(f for f in (root.rglob("*") if deep else root.glob("*")) if f.suffix.lower() in _AUDIO)
        named: dict[str, Path] = {}
        for file in files:
            if (other := named.setdefault(file.stem, file)) is not file:
                raise InputError(f"has the name of {other}; a recording's name must stand once", file)
        if not files:
            raise InputError("holds no .flac or .wav file", root)
        return files

    def paired(self, audio: Sequence[Path], annotations: Mapping[str, Path]) -> Iterator[tuple[Path, Path]]:
        """Audio files with the annotation of their name; what has no partner is set aside."""
        for file in audio:
            if file.stem in annotations:
                yield file, annotations[file.stem]
            else:
                self.put_aside(file, Reason.NO_ANNOTATION, "audio without its annotation")
        named = {file.stem for file in audio}
        for name, annotation in annotations.items():
            if name not in named:
                self.put_aside(annotation, Reason.NO_AUDIO, "annotation without its audio")

    def length_ms(self, file: Path) -> int:
        """Whole milliseconds of a file by its header; InputError unless it is readable, mono and not empty."""
        import soundfile

        if is_not_text(file):
            raise InputError("has a name that is not UTF-8; rename the file", file)
        if file not in self._lengths:
            try:
                header = soundfile.info(regular(file))
            except (OSError, RuntimeError) as error:
                raise InputError(f"is no readable audio ({error}); expected FLAC or PCM WAV", file) from None
            if header.channels != 1:
                raise InputError(f"has {header.channels} channels; expected mono", file)
            length = header.frames * 1000 // header.samplerate
            # A FLAC stream that was not finished has an unknown length, for which libsndfile gives its largest number.
            if not 0 < header.frames < 2**62 or not length:
                raise InputError("has less than a millisecond of audio, or a header without a length", file)
            self._lengths[file] = length
        return self._lengths[file]

    def add_whole(self, file: Path, speaker: str, language: str) -> None:
        """A file that is one utterance."""
        with self.quarantined(file):
            self.add(file, speaker, (0, self.length_ms(file)), language, file)

    def add(
        self,
        file: Path,
        speaker: str,
        times_ms: tuple[int, int],
        language: str,
        source: Path,
        line=None,
        recording=None,
    ) -> None:
        """An utterance that ``source`` has in ``line``; InputError unless it has a length and lies inside the audio."""
        (start, end), length = times_ms, self.length_ms(file)
        if not 0 <= start < end <= length:
            raise InputError(
                f"{private(start)} to {private(end)} ms; expected 0 <= start < end <= {length}, {file.name}'s length",
                source,
                line,
            )
        path = self._relative(file)
        self._speech_ms += end - start
        self.utterances.append(Utterance(self.corpus, recording or file.stem, speaker, path, start, end, language))

    def put_aside(self, file: Path, reason: Reason, detail: str, line: int | None = None) -> None:
        """One row of what was set aside."""
        self.set_aside.append(
            {"corpus": self.corpus, "file": self._relative(file), "line": line, "reason": reason, "detail": detail}
        )

    def put_aside_many(self, file: Path, reason: Reason, lengths_ms: Sequence[int]) -> None:
        """One row for all lines of a file that are left out for one expected reason."""
        if lengths_ms:
            self.put_aside(file, reason, f"{len(lengths_ms)} of {sum(lengths_ms)} ms together")

    @contextmanager
    def quarantined(self, file: Path, line: int | None = None) -> Iterator[None]:
        """What goes wrong inside is set aside, or raised where on_bad is fail."""
        try:
            yield
        except InputError as error:
            if self.on_bad == "fail":
                raise
            # The table must not depend on where the corpus lies.
            self.put_aside(file, Reason.INVALID, str(error).replace(f"{self.folder}/", ""), line)

    def finish(self) -> list[Utterance]:
        """The utterances; InputError where there is none."""
        counts = Counter(row["reason"] for row in self.set_aside[self._earlier :])
        reasons = ", ".join(f"{n} {reason}" for reason, n in sorted(counts.items())) or "nothing"
        n, hours = len(self.utterances), self._speech_ms / 3_600_000
        _log.info("%s: %d utterances, %.2f h; set aside: %s", self.corpus, n, hours, reasons)
        if not self.utterances:
            raise InputError(f"holds no usable utterance of {self.corpus}; set aside: {reasons}", self.folder)
        return self.utterances

    def _relative(self, file: Path) -> str:
        return printable(file.relative_to(self.folder).as_posix())
