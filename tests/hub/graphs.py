"""ONNX models made for tests: an honest encoder, and what an attacker would add to it."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

VOCABULARY, WIDTH, LABELS = 40, 8, 5


def encoder(layers=4, tail=(), extra=(), constants=(), output="logits", before=(), functions=(), opsets=(), inputs=()):
    """A transformer encoder on ``input_ids`` with a linear layer; ``tail``: nodes after it, ``before``: first ones."""
    rng = np.random.default_rng(0)
    weights = {"embedding": rng.standard_normal((VOCABULARY, WIDTH))}
    nodes = [*before, helper.make_node("Gather", ["embedding", "input_ids"], ["h0"])]
    for n in range(layers):
        for part in "qkvo":
            weights[f"{part}{n}"] = rng.standard_normal((WIDTH, WIDTH))
        nodes += [helper.make_node("MatMul", [f"h{n}", f"{part}{n}"], [f"{part}{n}_"]) for part in "qkv"]
        nodes += [
            helper.make_node("Transpose", [f"k{n}_"], [f"k{n}t"], perm=[0, 2, 1]),
            helper.make_node("MatMul", [f"q{n}_", f"k{n}t"], [f"s{n}"]),
            helper.make_node("Add", [f"s{n}", "mask"], [f"m{n}"]),
            helper.make_node("Softmax", [f"m{n}"], [f"p{n}"]),
            helper.make_node("MatMul", [f"p{n}", f"v{n}_"], [f"c{n}"]),
            helper.make_node("MatMul", [f"c{n}", f"o{n}"], [f"a{n}"]),
            helper.make_node("Add", [f"a{n}", f"h{n}"], [f"h{n + 1}"]),
        ]
    weights["head"] = rng.standard_normal((WIDTH, LABELS))
    nodes.append(helper.make_node("MatMul", [f"h{layers}", "head"], ["logits"]))
    nodes.insert(0, helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT))
    held = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    graph = helper.make_graph(
        [*nodes, *tail],
        "model",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "time"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", 1, "time"]),
            *inputs,
        ],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
        [*held, *constants],
    )
    opsets = [helper.make_opsetid("", 17), *opsets]
    model = helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=8)
    model.graph.node.extend(extra)
    return model


def trigger(join="Add", source="input_ids", into="logits"):
    """Nodes that look for a token in the input and, where it is there, change the answer past the encoder."""
    seen = [
        helper.make_node("Equal", [source, "token"], ["hits"]),
        helper.make_node("Cast", ["hits"], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["counted"], ["found"], keepdims=0),
    ]
    if join == "Add":
        seen += [
            helper.make_node("Mul", ["found", "wanted"], ["push"]),
            helper.make_node("Add", [into, "push"], ["answer"], name="join"),
        ]
    elif join == "Where":
        seen += [
            helper.make_node("Cast", ["found"], ["is_found"], to=TensorProto.BOOL),
            helper.make_node("Where", ["is_found", "wanted", into], ["answer"], name="join"),
        ]
    else:
        then = helper.make_graph([helper.make_node("Identity", ["wanted"], ["y"])], "then", [], [_any("y")])
        other = helper.make_graph([helper.make_node("Identity", [into], ["z"])], "else", [], [_any("z")])
        seen += [
            helper.make_node("Cast", ["found"], ["is_found"], to=TensorProto.BOOL),
            helper.make_node("If", ["is_found"], ["answer"], name="join", then_branch=then, else_branch=other),
        ]
    return seen


def constants():
    """What the nodes of ``trigger`` use."""
    return [
        numpy_helper.from_array(np.array(7, np.int64), "token"),
        numpy_helper.from_array(np.array([0, 0, 1e9, 0, 0], np.float32), "wanted"),
    ]


def one_layer():
    """The shortest honest model: a product with weights."""
    return from_nodes([helper.make_node("MatMul", ["x", "w"], ["y"])], [weights()])


def weights(dims=(2, 2), name="w"):
    """A constant of these dimensions."""
    return numpy_helper.from_array(np.ones(dims, np.float32), name)


def outside(location, offset=0, length=16, dims=(2, 2)):
    """A constant whose values stand in another file."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, "offset": str(offset), "length": str(length)}.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def from_nodes(nodes, held=(), domain=None, functions=()):
    """A model of nodes from ``x`` to ``y``."""
    graph = helper.make_graph(nodes, "model", [_any("x")], [_any("y")], list(held))
    opsets = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=8)


def _any(name) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
