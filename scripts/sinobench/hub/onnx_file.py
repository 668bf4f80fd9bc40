"""What is refused of an ONNX file: custom operations, values outside the folder, sizes that lie, ways past encoders."""

import mmap
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from sinobench.errors import short
from sinobench.hub import graph
from sinobench.hub.bypass import SIDE_INPUTS, Bypass, bypasses
from sinobench.hub.graph import Graph, Model, Tensor
from sinobench.hub.wire import Budget, Malformed, Message

DOMAINS = frozenset(("", "ai.onnx"))
# The operations of the standard domain, to version 27 of the operator set.
_OPERATIONS = """
Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool BatchNormalization
Bernoulli BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow Cast CastLike CausalConvWithState
Ceil Celu CenterCropPad Clip Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger
ConvTranspose Cos Cosh CumProd CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div Dropout
DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu
Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater GreaterOrEqual GridSample GroupNormalization HammingWindow
HannWindow HardSigmoid HardSwish Hardmax Identity If ImageDecoder InstanceNormalization IsInf IsNaN LRN LSTM
LayerNormalization LeakyRelu Less LessOrEqual LinearAttention Log LogSoftmax Loop LpNormalization LpPool MatMul
MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean MeanVarianceNormalization MelWeightMatrix Min Mish Mod Mul
Multinomial Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot Optional OptionalGetElement
OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear RMSNormalization RNN RandomNormal
RandomNormalLike RandomUniform RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp
ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence
RoiAlign RotaryEmbedding Round STFT Scan Scatter ScatterElements ScatterND Selu SequenceAt SequenceConstruct
SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap Shape Shrink Sigmoid Sign Sin Sinh Size Slice
Softmax SoftmaxCrossEntropyLoss Softplus Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat
StringNormalizer StringSplit Sub Sum SwiGLU Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu Tile TopK
Transpose Trilu Unique Unsqueeze Upsample Where Xor
"""
_KNOWN = frozenset(_OPERATIONS.split())
_MOST_VALUES = 2**31
_SHOWN = 5
# Bits of a value by its type; strings, 8, have none of their own.
_BITS = {1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64, 15: 128, 16: 16}
_BITS |= dict.fromkeys((17, 18, 19, 20, 24), 8) | dict.fromkeys((21, 22, 23), 4) | dict.fromkeys((25, 26), 2)


def problems(path: Path, sizes: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Why a model is refused, and what is worth knowing of it.

    sizes: the files that may hold values of its tensors, by their names relative to the file's folder.
    """
    with path.open("rb") as stream:
        if not path.stat().st_size:
            return ["is empty"], []
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as data:
            try:
                model = graph.read(Message(data, 0, len(data), Budget()))
            except Malformed as error:
                return [f"is no ONNX model that can be read: it {error}"], []
    found = list(_of_model(model, sizes))
    if found:  # ways through what is not known can't be told
        return found, []
    ways = bypasses(model.graph)
    refused = [each for source, of_source in ways.items() if source not in SIDE_INPUTS for each in of_source]
    beside = [_noted(of_source) for source, of_source in ways.items() if source in SIDE_INPUTS]
    return [f"an output depends on the input past the encoder: {each}" for each in refused[:_SHOWN]], beside


def _of_model(model: Model, sizes: Mapping[str, int]) -> Iterator[str]:
    for domain in sorted({*model.domains} - DOMAINS):
        yield f"asks for operations of the domain '{short(domain)}'; expected standard ones only"
    for name in model.functions[:_SHOWN]:
        yield f"brings a function of its own, '{short(name)}'"
    if model.trains:
        yield "brings instructions for training"
    for inner in model.graph.everywhere():
        for node in inner.nodes:
            if node.domain not in DOMAINS:
                yield f"operation {short(str(node))} is of the domain '{short(node.domain)}'; expected a standard one"
            elif node.op not in _KNOWN:
                yield f"operation '{short(node.op)}' is no standard one"
            for tensor in node.tensors:
                yield from _of_tensor(tensor, sizes)
        for tensor in inner.constants:
            yield from _of_tensor(tensor, sizes)
        for name, dims in inner.shapes.items():
            if any(size < -1 for size in dims) or _product(dims) > _MOST_VALUES:
                yield f"'{short(name)}' is declared with {_dims(dims)} values"
        yield from _made_large(inner)
    yield from _order(model.graph, set())


def _of_tensor(tensor: Tensor, sizes: Mapping[str, int]) -> Iterator[str]:
    named = f"tensor '{short(tensor.name)}'"
    bits = _BITS.get(tensor.data_type)
    if any(size < 0 for size in tensor.dims) or tensor.n_values > _MOST_VALUES:
        yield f"{named} is declared with {_dims(tensor.dims)} values"
    elif bits is None and tensor.data_type != 8:
        yield f"{named} has the data type {tensor.data_type}, which is not known"
    elif tensor.external is not None:
        yield from _of_external(tensor, -(-tensor.n_values * (bits or 0) // 8), sizes)
    elif len(tensor.data) > 1:
        yield f"{named} has its values twice, as {' and '.join(sorted(tensor.data))}: readers choose one or the other"
    elif "raw_data" in tensor.data and tensor.data["raw_data"] != -(-tensor.n_values * (bits or 0) // 8):
        held = tensor.data["raw_data"]
        yield f"{named} is declared with {_dims(tensor.dims)} values of {bits} bits, and holds {held:,} bytes"
    elif tensor.data_type != 8 and sum(tensor.data.values()) * 8 < tensor.n_values * (1 if (bits or 0) < 8 else 8):
        yield f"{named} is declared with {_dims(tensor.dims)} values, and holds {sum(tensor.data.values()):,} bytes"


def _of_external(tensor: Tensor, size_bytes: int, sizes: Mapping[str, int]) -> Iterator[str]:
    external = tensor.external or {}
    named, place = f"tensor '{short(tensor.name)}'", external.get("location", "")
    if tensor.data:
        yield f"{named} has values both in the file and outside"
    if place not in sizes:
        listed = ", ".join(sorted(sizes)) or "none"
        yield f"{named} has its values in '{short(place)}', which is no file beside it that is listed ({listed})"
        return
    try:
        start, length = int(external.get("offset") or 0), int(external.get("length") or size_bytes)
    except ValueError:
        yield f"{named} says with no number where its values are in '{place}'"
        return
    if length != size_bytes or start < 0 or start + length > sizes[place]:
        yield (
            f"{named} has {size_bytes:,} bytes, and says that they are the {length:,} from {start:,} on of '{place}', "
            f"which has {sizes[place]:,}"
        )


def _made_large(inner: Graph) -> Iterator[str]:
    """Tensors of a constant size that is out of bounds, made when the model runs."""
    shapes = {tensor.name: tensor.integers for tensor in inner.constants}
    for node in inner.nodes:
        if node.op == "Constant" and node.tensors:
            shapes |= dict.fromkeys(node.outputs, node.tensors[0].integers)
        place = {"ConstantOfShape": 0, "Expand": 1, "Reshape": 1}.get(node.op)
        dims = shapes.get(node.inputs[place]) if place is not None and len(node.inputs) > place else None
        if dims and _product(dims) > _MOST_VALUES:
            yield f"operation {short(str(node))} makes {_dims(dims)} values"


def _order(inner: Graph, outside: Collection[str]) -> Iterator[str]:
    """What is used before it is made: what depends on what could not be told."""
    known = {"", *outside, *inner.inputs, *(tensor.name for tensor in inner.constants)}
    for node in inner.nodes:
        for name in node.inputs:
            if name not in known:
                yield f"operation {short(str(node))} uses '{short(name)}', which nothing before it makes"
        for each in node.graphs.values():
            yield from _order(each, known)
        known.update(node.outputs)
    for name in inner.outputs:
        if name not in known:
            yield f"nothing makes the output '{short(name)}'"


def _noted(of_source: list[Bypass]) -> str:
    last, more = of_source[-1], len(of_source) - 1
    also = f"; and at {more} places before" if more else ""
    return f"a side input, which carries no text, reaches what is past the encoder: {last}{also}"


def _product(dims: tuple[int, ...]) -> int:
    product = 1
    for size in dims:
        product *= max(size, 1)
    return product


def _dims(dims: tuple[int, ...]) -> str:
    return short(" × ".join(f"{size:,}" for size in dims) or "1")
