"""A chat model that someone serves as a spelling checker: it is asked for each text by itself."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event

from sinobench.answers import Answers, opened
from sinobench.chat import Answer, Endpoint
from sinobench.csc.answered import bare, corrected

PLACEHOLDER = "{text}"


class Chat:
    """Asks an endpoint with a prompt, in which the text stands for ``{text}``; ``took`` is for the row of ``runs``.

    options: ``endpoint``, ``chat_model``, ``prompt`` and ``max_tokens``, which decide what is answered. service: how it
    is asked, ``key_variable``, ``at_once`` and ``price`` of the entry. folder: where answers are kept.
    """

    def __init__(self, options: Mapping, service: Mapping, folder: str | Path) -> None:
        self._options, self._service, self._folder = options, service, folder
        self._endpoint = Endpoint(options["endpoint"], options["chat_model"], service["key_variable"])
        self.took: dict[str, object] = {}

    def predict(self, texts: list[str]) -> list[str]:
        """The corrected texts; one without an answer, or with one of another length that can't be aligned, as it is.

        Raises InputError where the endpoint gives no answer; those that it gave are kept for the next attempt.
        """
        prompts = [self._options["prompt"].replace(PLACEHOLDER, text) for text in texts]
        asked = {name: self._options[name] for name in ("endpoint", "chat_model", "max_tokens")}
        with opened(self._folder, asked) as answers:
            new = [prompt for prompt in dict.fromkeys(prompts) if answers.get(prompt) is None]
            self._ask(new, answers)
            found = [answers.get(prompt) for prompt in prompts]
        outputs, aligned = [], []
        for text, answer in zip(texts, found, strict=True):
            if not bare(answer.text or ""):
                outputs.append(text)
                continue
            output, was_aligned = corrected(text, answer.text)
            outputs.append(output)
            aligned.append(was_aligned)
        self.took = {
            # Time says something of the model where all was asked.
            **({"predict_s": None, "items_per_s": None} if len(new) < len(texts) else {}),
            "n_asked": len(new),
            "n_cached": len(texts) - len(new),
            "n_aligned": aligned.count(True),
            "n_unchanged": aligned.count(False),
            "n_refused": len(texts) - len(aligned),
            **self._spent(found),
        }
        return outputs

    def _ask(self, prompts: list[str], answers: Answers) -> None:
        """Ask what was not asked before; where one prompt gets no answer, those on their way are kept all the same."""
        stopped = Event()

        def ask(prompt: str) -> Answer | None:
            return None if stopped.is_set() else self._endpoint.ask(prompt, self._options["max_tokens"], stopped)

        failures = []
        with ThreadPoolExecutor(self._service["at_once"]) as pool:
            waiting = {pool.submit(ask, prompt): prompt for prompt in prompts}
            for done in as_completed(waiting):
                if failure := done.exception():
                    stopped.set()
                    failures.append(failure)
                elif answer := done.result():
                    answers.keep(waiting[done], answer)
        if failures:
            raise failures[0]

    def _spent(self, found: list[Answer]) -> dict[str, object]:
        """Tokens of all answers, also those that were kept, and what they cost; None where it is not known."""
        counts = {
            name: None if None in (values := [getattr(answer, name) for answer in found]) else sum(values)
            for name in ("prompt_tokens", "completion_tokens")
        }
        price = self._service["price"]
        if not price or None in counts.values():
            return counts | {"cost": None, "currency": None}
        cost = sum(counts[f"{part}_tokens"] * price[part] for part in ("prompt", "completion")) / 1e6
        return counts | {"cost": cost, "currency": price["currency"]}
