"""How far a model is trusted: what its entry says, or else what goes with its kind.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Mapping

from sinobench.errors import InputError

# From the most to the least.
BUNDLED, PINNED, UNVERIFIED, FLAGGED = LEVELS = ("bundled", "pinned", "unverified", "flagged")


def with_trust(models: Mapping[str, dict]) -> dict[str, dict]:
    """The entries of models, each with its ``trust``; a model that uses another's scores is trusted no more than that.

    Raises InputError for an entry that claims more than goes with its kind, or is flagged without a reason.
    """
    resolved = {name: entry | {"trust": _own(name, entry)} for name, entry in models.items()}
    for name, entry in resolved.items():
        lid = resolved.get(entry.get("lid") or "")
        if lid and LEVELS.index(lid["trust"]) > LEVELS.index(entry["trust"]):
            inherited = {key: lid[key] for key in ("trust", "trust_reason", "trust_source")}
            resolved[name] = entry | inherited
    return resolved


def not_allowed(name: str, entry: Mapping, allowed: list[str]) -> str | None:
    """Why a flagged model is left out; None for one that is not flagged, or that the config lets run all the same."""
    if entry["trust"] != FLAGGED or name in allowed:
        return None
    source = f" ({entry['trust_source']})" if entry["trust_source"] else ""
    return f"it is flagged: {entry['trust_reason']}{source}; the config's key allow_flagged can name it"


def _own(name: str, entry: Mapping) -> str:
    usual = UNVERIFIED
    if entry["kind"] == "hub":
        usual = PINNED
    elif entry["kind"] == "python" and _is_own(entry["class"].rpartition(":")[0]):
        usual = BUNDLED
    given = entry["trust"] or usual
    where = f"{entry['catalog']}: model '{name}'"
    if LEVELS.index(given) < LEVELS.index(usual):
        raise InputError(f"{where} has trust: {given}, which goes with {_GOES_WITH[given]}; expected {usual} at most")
    if given == FLAGGED and not entry["trust_reason"]:
        raise InputError(f"{where} has trust: flagged without trust_reason; say what was reported")
    return given


def _is_own(module: str) -> bool:
    return module.startswith("sinobench.") and not module.endswith(".py")


_GOES_WITH = {BUNDLED: "classes of this package", PINNED: "kind hub"}
