"""A chat model that someone serves as a spelling checker: it is asked for each text by itself."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from pathlib import Path
from threading import Event

from sinobench.answers import Answers
from sinobench.chat import Answer, Endpoint
from sinobench.csc.answered import bare, corrected
from sinobench.csc.digests import digest

PLACEHOLDER = "{text}"


class Chat:
    """Asks an endpoint with a prompt, in which the text stands for ``{text}``; ``took`` is for the row of ``runs``.

    Texts come some at a time; those that come again are counted once.

    options: ``endpoint``, ``chat_model``, ``prompt`` and ``max_tokens``, which decide what is answered. service: how it
    is asked, ``key_variable``, ``at_once`` and ``price`` of the entry. folder: where answers are kept.
    """

    def __init__(self, options: Mapping, service: Mapping, folder: str | Path) -> None:
        self._options, self._service = options, service
        self._answers = Answers(folder, {name: options[name] for name in ("endpoint", "chat_model", "max_tokens")})
        self._endpoint = Endpoint(options["endpoint"], options["chat_model"], service["key_variable"])
        self._counted: set[bytes] = set()
        self._n: Counter[str | None] = Counter()
        self._tokens: dict[str, int | None] = {"prompt_tokens": 0, "completion_tokens": 0}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts; one without an answer, or with one of another length that can't be aligned, as it is.

        Raises InputError where the endpoint gives no answer; those that it gave are kept for the next attempt.
        """
        with self._answers.locked():
            self._ask(map(self._prompt, dict.fromkeys(texts)))
            return [self._corrected(text, self._answers[self._prompt(text)]) for text in texts]

    @property
    def took(self) -> dict[str, object]:
        """What became of the distinct texts so far, the tokens of all their answers, also those kept, and their cost.

        None where it is not known.
        """
        n_asked, n_texts, tokens, price = self._n["n_asked"], len(self._counted), self._tokens, self._service["price"]
        cost = currency = None
        if price and None not in tokens.values():
            cost = sum(tokens[f"{part}_tokens"] * price[part] for part in ("prompt", "completion")) / 1e6
            currency = price["currency"]
        return {
            # Time says something of the model where all was asked.
            **({"predict_s": None, "items_per_s": None} if n_asked < n_texts else {}),
            "n_asked": n_asked,
            "n_cached": n_texts - n_asked,
            **{name: self._n[name] for name in ("n_aligned", "n_unchanged", "n_refused")},
            **tokens,
            "cost": cost,
            "currency": currency,
        }

    def _prompt(self, text: str) -> str:
        return self._options["prompt"].replace(PLACEHOLDER, text)

    def _corrected(self, text: str, answer: Answer) -> str:
        """The output for a text, which is counted once."""
        output, outcome = text, "n_refused"
        if bare(answer.text or ""):
            output, was_aligned = corrected(text, answer.text)
            outcome = {True: "n_aligned", False: "n_unchanged"}.get(was_aligned)
        if (key := digest(text)) not in self._counted:
            self._counted.add(key)
            self._n[outcome] += 1
            for name, before in self._tokens.items():
                n = getattr(answer, name)
                self._tokens[name] = None if None in (before, n) else before + n
        return output

    def _ask(self, prompts: Iterable[str]) -> None:
        """Ask what was not asked before; where one prompt gets no answer, those on their way are kept all the same."""
        stopped, failures, waiting = Event(), [], {}
        at_once = self._service["at_once"]

        def ask(prompt: str) -> Answer | None:
            return None if stopped.is_set() else self._endpoint.ask(prompt, self._options["max_tokens"], stopped)

        def keep(done: Iterable[Future]) -> None:
            for each in done:
                prompt = waiting.pop(each)
                if failure := each.exception():
                    stopped.set()
                    failures.append(failure)
                elif answer := each.result():
                    self._answers.keep(prompt, answer)
                    self._n["n_asked"] += 1

        with ThreadPoolExecutor(at_once) as pool:
            for prompt in prompts:
                if prompt in self._answers:
                    continue
                waiting[pool.submit(ask, prompt)] = prompt
                if len(waiting) >= 2 * at_once:
                    keep(wait(waiting, return_when=FIRST_COMPLETED).done)
                if stopped.is_set():
                    break
            keep(as_completed(list(waiting)))
        if failures:
            raise failures[0]
