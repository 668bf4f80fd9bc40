"""An ONNX model as its bytes say it is, without its weights: read by the numbers of ``onnx.proto``, nothing executed.

A message that a file gives twice where the format has it once is refused: readers merge such parts, each its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sinobench.hub.wire import BYTES, VARINT, Malformed, Message, signed

_DEEPEST = 16
# Of onnx.proto: messages by the numbers of their fields.
_MODEL = {"ir_version": 1, "graph": 7, "opset_import": 8, "training_info": 20, "functions": 25}
_GRAPH = {"node": 1, "name": 2, "initializer": 5, "input": 11, "output": 12, "value_info": 13, "sparse": 15}
_NODE = {"input": 1, "output": 2, "name": 3, "op_type": 4, "attribute": 5, "domain": 7}
_ATTRIBUTE = {"name": 1, "t": 5, "g": 6, "tensors": 10, "graphs": 11, "sparse": 22, "sparses": 23}
_TENSOR = {"dims": 1, "data_type": 2, "segment": 3, "name": 8, "raw_data": 9, "external": 13, "location": 14}
_DATA = {4: "float_data", 5: "int32_data", 6: "string_data", 7: "int64_data", 9: "raw_data", 10: "double_data"}
_DATA_FIELDS = {11: "uint64_data"} | _DATA
_SPARSE = {"values": 1, "indices": 2}
_KINDS = dict.fromkeys(("ir_version", "data_type", "location", "size"), (VARINT,)) | {"dims": (VARINT, BYTES)}
_ONCE = {"ir_version", "graph", "op_type", "name", "domain", "data_type", "t", "g", "values", "indices", "location"}


@dataclass(frozen=True)
class Tensor:
    """A constant: ``external`` are the file that holds its values, offset and length, None where it holds them."""

    name: str
    dims: tuple[int, ...]
    data_type: int
    data: dict[str, int]  # the bytes of each field with values
    external: dict[str, str] | None
    integers: tuple[int, ...] | None  # the values of a short one of 64-bit integers

    @property
    def n_values(self) -> int:
        """How many values its dimensions declare."""
        n = 1
        for size in self.dims:
            n *= size
        return n


@dataclass(frozen=True)
class Node:
    """An operation, with the graphs and constants among its attributes."""

    op: str
    domain: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    graphs: dict[str, Graph] = field(default_factory=dict)
    tensors: tuple[Tensor, ...] = ()

    def __str__(self) -> str:
        return f"{self.op} '{self.name}'" if self.name else self.op


@dataclass(frozen=True)
class Graph:
    """Operations in their order; ``shapes``: the dimensions that inputs, outputs and values between are declared to
    have, by name."""

    nodes: tuple[Node, ...]
    constants: tuple[Tensor, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shapes: dict[str, tuple[int, ...]]

    def everywhere(self) -> Iterator[Graph]:
        """It and the graphs within its operations."""
        yield self
        for node in self.nodes:
            for inner in node.graphs.values():
                yield from inner.everywhere()


@dataclass(frozen=True)
class Model:
    """A model's graph and what it asks of whoever runs it."""

    graph: Graph
    domains: tuple[str, ...]
    functions: tuple[str, ...]
    trains: bool


def read(message: Message) -> Model:
    """A model. Raises Malformed."""
    found = _parts(message, _MODEL)
    if len(found["graph"]) != 1 or not found["ir_version"]:
        raise Malformed("is no ONNX model: it has no graph or no version")
    return Model(
        _graph(found["graph"][0], 0),
        tuple(_text(_parts(each, {"domain": 1})["domain"]) for each in found["opset_import"]),
        tuple(_text(_parts(each, {"name": 1})["name"]) for each in found["functions"]),
        bool(found["training_info"]),
    )


def _graph(message: Message, depth: int) -> Graph:
    if depth > _DEEPEST:
        raise Malformed(f"has graphs within graphs, more than {_DEEPEST} deep")
    found = _parts(message, _GRAPH)
    declared = [_value(each) for name in ("input", "output", "value_info") for each in found[name]]
    return Graph(
        nodes=tuple(_node(each, depth) for each in found["node"]),
        constants=(*map(_tensor, found["initializer"]), *(t for each in found["sparse"] for t in _sparse(each))),
        inputs=tuple(_value(each)[0] for each in found["input"]),
        outputs=tuple(_value(each)[0] for each in found["output"]),
        shapes=dict(declared),
    )


def _node(message: Message, depth: int) -> Node:
    found = _parts(message, _NODE)
    graphs: dict[str, Graph] = {}
    tensors: list[Tensor] = []
    for each in found["attribute"]:
        held = _parts(each, _ATTRIBUTE)
        name = _text(held["name"])
        for i, inner in enumerate([*held["g"], *held["graphs"]]):
            graphs[f"{name}{i or ''}"] = _graph(inner, depth + 1)
        tensors += map(_tensor, [*held["t"], *held["tensors"]])
        tensors += [tensor for part in [*held["sparse"], *held["sparses"]] for tensor in _sparse(part)]
    return Node(
        op=_text(found["op_type"]),
        domain=_text(found["domain"]),
        name=_text(found["name"]),
        inputs=tuple(each.text() for each in found["input"]),
        outputs=tuple(each.text() for each in found["output"]),
        graphs=graphs,
        tensors=tuple(tensors),
    )


def _tensor(message: Message) -> Tensor:
    found = _parts(message, _TENSOR)
    if found["segment"]:
        raise Malformed("has a tensor in segments, which nothing reads")
    data: dict[str, int] = {}
    for number, _, value in message.fields():
        if number in _DATA_FIELDS:
            size = len(value) if isinstance(value, Message) else 1
            data[_DATA_FIELDS[number]] = data.get(_DATA_FIELDS[number], 0) + size
    external = None
    if found["external"] or (found["location"] and found["location"][0]):
        pairs = [_parts(each, {"name": 1, "value": 2}) for each in found["external"]]
        external = {_text(pair["name"]): _text(pair["value"]) for pair in pairs}
        if len(external) < len(pairs):
            raise Malformed("has a tensor that says twice where its values are")
    name, dims = _text(found["name"]), tuple(map(signed, _integers(found["dims"])))
    kind = found["data_type"][0] if found["data_type"] else 0
    return Tensor(name, dims, kind, data, external, _values(message, kind, data))


def _values(message: Message, data_type: int, data: dict[str, int]) -> tuple[int, ...] | None:
    """The values of a tensor of at most 16 integers of 64 bits; else None."""
    if data_type != 7 or sum(data.values()) > 160 or not data.keys() <= {"raw_data", "int64_data"}:
        return None
    values: list[int] = []
    for number, kind, value in message.fields():
        if number == 9 and isinstance(value, Message):
            raw = value.bytes()
            values += [int.from_bytes(raw[i : i + 8], "little", signed=True) for i in range(0, len(raw) - 7, 8)]
        elif number == 7:
            values += map(signed, value.varints() if kind == BYTES else [value])
    return tuple(values)


def _sparse(message: Message) -> list[Tensor]:
    found = _parts(message, _SPARSE)
    return [_tensor(part) for name in ("values", "indices") for part in found[name]]


def _value(message: Message) -> tuple[str, tuple[int, ...]]:
    """Name and known dimensions of a declared value."""
    found = _parts(message, {"name": 1, "type": 2})
    dims: list[int] = []
    for kind in found["type"]:
        for tensor in _parts(kind, {"tensor": 1})["tensor"]:
            for shape in _parts(tensor, {"shape": 2})["shape"]:
                for dim in _parts(shape, {"dim": 1})["dim"]:
                    dims += map(signed, _parts(dim, {"size": 1})["size"])
    return _text(found["name"]), tuple(dims)


def _parts(message: Message, wanted: dict[str, int]) -> dict[str, list]:
    """The values of the fields that are wanted, by name; Malformed where one that stands once is given twice."""
    names = {number: name for name, number in wanted.items()}
    found: dict[str, list] = {name: [] for name in wanted}
    for number, kind, value in message.fields():
        if name := names.get(number):
            if kind not in _KINDS.get(name, (BYTES,)):  # which other readers pass over
                raise Malformed(f"gives '{name}' as another type than the format has")
            found[name].append(value)
    for name, values in found.items():
        if name in _ONCE and len(values) > 1:
            raise Malformed(f"gives '{name}' {len(values)} times where the format has it once")
    return found


def _text(values: list) -> str:
    return values[0].text() if values else ""


def _integers(values: list) -> list[int]:
    return [n for value in values for n in (value.varints() if isinstance(value, Message) else [value])]
