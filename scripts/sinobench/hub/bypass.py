"""Ways past the encoder: where an output depends on a model's input through a path that the encoder is not on.

An architectural backdoor is such a path: a few operations that look for a trigger in the input and add to the output
what the attacker wants, beside a network that is left as it was
(https://protectai.com/insights/knowledge-base/backdoor-threats/PAIT-ONNX-200).

The *depth* of a value is the number of layers on the longest way to it from an input: operations with learned weights
(matrix products, convolutions, recurrent layers, look-ups of embeddings) and products of two computed values, as in
attention. Where values meet, in a sum, a selection or the branches of an ``If``, all must have come about as deep: a
*bypass* is one that lacks more than ``SKIPPED`` layers of the deepest that it meets, and has less than a quarter of
them. So a residual connection is none; and what is read of a shape counts for nothing. An output without any layer
between it and an input is one too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sinobench.hub.graph import Graph, Node

# As many as a residual connection passes by: a block of attention has four, one with gates five.
SKIPPED = 5
# Inputs that carry no text or sound of their own. A mask of the answers must pass the encoder by. Whoever runs a model
# gives each input, by its name, what the name says.
SIDE_INPUTS = frozenset(
    ("attention_mask", "token_type_ids", "position_ids", "phoneme_mask", "char_ids", "pos_ids", "state", "sr")
)
_LAYERS = {
    **dict.fromkeys(("Conv", "ConvInteger", "ConvTranspose", "DeformConv", "QLinearConv", "CausalConvWithState"), 1),
    **dict.fromkeys(("GRU", "LSTM", "RNN", "Gemm", "MatMul", "MatMulInteger", "QLinearMatMul", "Einsum"), 1),
    **dict.fromkeys(("Attention", "LinearAttention"), 2),
}
_LOOKUPS = frozenset(("Gather", "GatherElements", "GatherND"))
_OF_SHAPE = frozenset(("Shape", "Size", "SequenceLength", "OptionalHasElement"))
_SHOWN = 12  # operations of a way


@dataclass(frozen=True)
class Bypass:
    """A way from an input to where it meets what came through the encoder, or to an output."""

    source: str
    way: tuple[str, ...]  # operations; the last one is where they meet
    depth: int
    beside: int | None  # the depth of what it meets, None for a way to an output

    def __str__(self) -> str:
        way = self.way if len(self.way) <= _SHOWN else (*self.way[: _SHOWN // 2], "…", *self.way[-_SHOWN // 2 :])
        path = " → ".join([f"'{self.source}'", *way])
        if self.beside is None:
            return f"{path}, with no layer between input and output"
        return f"{path}, where what has passed {self.depth} layers meets what has passed {self.beside}"


@dataclass(frozen=True)
class _Value:
    """How deep a value is, and the operations of a way to it from the input, by the shallowest at each."""

    depth: int
    way: tuple[str, ...] = ()


def bypasses(graph: Graph) -> dict[str, list[Bypass]]:
    """The ways past the encoder by input; an input that has none is not in it. Operations must stand in their order."""
    constant = {tensor.name for tensor in graph.constants}
    found = {}
    for source in graph.inputs:
        met: dict[Bypass, None] = {}
        values = _flow(graph, {} if source in constant else {source: _Value(0)}, source, met)
        for output in graph.outputs:
            if (value := values.get(output)) and not value.depth:
                met[Bypass(source, (*value.way, f"output '{output}'"), 0, None)] = None
        if met:
            found[source] = list(met)
    return found


def _flow(graph: Graph, seen: dict[str, _Value], source: str, met: dict[Bypass, None]) -> dict[str, _Value]:
    """The values that depend on the source, of those seen from outside and of the graph's own; adds to ``met``."""
    constant = {tensor.name for tensor in graph.constants}
    values = {name: value for name, value in seen.items() if name not in constant}
    for node in graph.nodes:
        operands = [value for value in map(values.get, node.inputs) if value]
        for inner in node.graphs.values():
            operands += _within(node, inner, values, source, met)
        if not operands or node.op in _OF_SHAPE:
            continue
        deepest = max(value.depth for value in operands)
        least = min(operands, key=lambda value: (value.depth, len(value.way)))
        way = (*least.way, str(node)) if len(least.way) < 200 else least.way
        if deepest - least.depth > SKIPPED and 4 * least.depth < deepest:
            met[Bypass(source, way, least.depth, deepest)] = None
        passed = _Value(deepest + _layers(node, values), way)
        values.update({name: passed for name in node.outputs if name})
    return values


def _within(
    node: Node, inner: Graph, values: dict[str, _Value], source: str, met: dict[Bypass, None]
) -> Iterator[_Value]:
    """The outputs of a graph within an operation that depend on the source."""
    seen = {name: value for name, value in values.items() if name not in inner.inputs}
    # The inputs of a branch are none, those of a body the operation's, in their order.
    seen |= _paired(inner.inputs, [values.get(name) for name in node.inputs])
    for _ in range(len(inner.inputs) + 1):
        after = _flow(inner, seen, source, met)
        given_back = [after.get(name) for name in inner.outputs]
        # What a body hands on to its next round; a loop's outputs lack the count that its inputs begin with.
        carried = _paired(inner.inputs[1:] if node.op == "Loop" else inner.inputs, given_back)
        if carried.keys() <= seen.keys():
            break
        seen = carried | seen
    yield from filter(None, given_back)


def _paired(names: Sequence[str], values: Sequence[_Value | None]) -> dict[str, _Value]:
    return {name: value for name, value in zip(names, values, strict=False) if value}


def _layers(node: Node, values: dict[str, _Value]) -> int:
    if node.op in _LOOKUPS:  # of an embedding: the place is computed, the table is not
        return int(node.inputs[0] not in values)
    return _LAYERS.get(node.op, 0)
