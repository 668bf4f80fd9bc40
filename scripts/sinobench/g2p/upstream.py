"""Model files of the upstream benchmark run unchanged: the module they import is supplied to them."""

from types import ModuleType

from sinobench.g2p.metrics import clean


class G2PModel:
    """The base class that ``from models.G2PModel import G2PModel`` gives to a model file.

    A subclass has ``_predict(texts) -> list[list[str | None]]`` and ``get_name()``. Calling it cleans the output, on
    which a model that uses another one may rely; ``predict`` gives it as it is, so that it can be shown.
    """

    def _predict(self, texts: list[str]) -> list[list[str | None]]:
        raise TypeError(f"{type(self).__name__} does not implement _predict(texts)")

    def get_name(self) -> str:
        raise TypeError(f"{type(self).__name__} does not implement get_name()")

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        return self._predict(texts) if type(self).__call__ is G2PModel.__call__ else self(texts)

    def __call__(self, texts: list[str]) -> list[list[str | None]]:
        outputs = self._predict(texts)
        # Anything but lists is left as it is, for the caller to refuse: a string or a dict would iterate too.
        if not isinstance(outputs, (list, tuple)):
            return outputs
        return [
            [_clean(entry) for entry in output] if isinstance(output, (list, tuple)) else output for output in outputs
        ]


def _clean(entry: object) -> object:
    return clean(entry) if isinstance(entry, str) else entry


def supplied_modules() -> dict[str, ModuleType]:
    """The modules ``models`` and ``models.G2PModel`` as an upstream model file imports them."""
    package, module = ModuleType("models"), ModuleType("models.G2PModel")
    module.G2PModel = package.G2PModel = G2PModel
    package.__path__ = []
    return {"models": package, "models.G2PModel": module}
