"""The gate: hostile artefacts are refused by name and reason, nothing of them is executed, and honest models pass."""

import contextlib
import importlib.util
import io
import json
import os
import pickle
import socket
import struct
import tarfile
import zipfile
from pathlib import Path
from random import Random

import google.protobuf.message
import numpy as np
import onnx
import pytest
from onnx import helper

from sinobench.errors import InputError
from sinobench.hub import graph
from sinobench.hub.onnx_file import _KNOWN
from sinobench.hub.wire import Budget, Malformed, Message
from tests.hub import graphs
from tests.hub.conftest import safetensors


class Payload:
    """Whoever unpickles it runs a command."""

    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def pickled(canary, protocol=4) -> bytes:
    return pickle.dumps(Payload(f"touch {canary}"), protocol=protocol)


def zipped(members) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def changed_in_list(archive: bytes, offset: int, byte: bytes) -> bytes:
    """A zip whose first entry in the list of members has another byte at an offset."""
    at = archive.index(b"PK\1\2") + offset
    return archive[:at] + byte + archive[at + 1 :]


def tarred(name) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    return stream.getvalue()


TORCH = {"archive/data.pkl": b"\x80\x02.", "archive/data/0": b"\0" * 16}
ONE = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}

# Name of the file, its content by the path of the canary and the listener's address, and what the refusal says.
FILES = {
    "pickle by its suffix": ("weights.pkl", lambda c, a: pickled(c), "can hold a pickle"),
    "torch weights": ("pytorch_model.bin", lambda c, a: zipped(TORCH), "can hold a pickle"),
    "pickle as safetensors": ("more.safetensors", lambda c, a: pickled(c), r"a pickle, which imports posix.system"),
    "pickle as vocabulary": ("words.txt", lambda c, a: pickled(c, 2), "a pickle, which imports posix.system"),
    "textual pickle as vocabulary": ("words.txt", lambda c, a: pickled(c, 0), "a pickle, which imports posix.system"),
    "torch zip as safetensors": ("more.safetensors", lambda c, a: zipped(TORCH), "'archive/data.pkl' is a pickle"),
    "zip behind honest tensors": (
        "more.safetensors",
        lambda c, a: safetensors({"w": ONE}, 8) + zipped(TORCH),
        "a zip archive",
    ),
    "zip that leaves": (
        "words.txt",
        lambda c, a: zipped({"../../evil.txt": "x"}),
        "'../../evil.txt' leaves the folder",
    ),
    "zip of a later version": (
        "more.safetensors",
        lambda c, a: changed_in_list(zipped(TORCH), 6, b"\x63"),
        "a zip archive that can't be looked into",
    ),
    "zip whose names are no text": (
        "more.safetensors",
        lambda c, a: changed_in_list(changed_in_list(zipped(TORCH), 9, b"\x08"), 46, b"\xff"),
        "a zip archive that can't be looked into",
    ),
    "zip that expands": ("words.txt", lambda c, a: zipped({"a": b"\0" * 10**7}), "10,000,000 bytes of"),
    "tar": ("words.txt", lambda c, a: tarred("/etc/evil"), "a tar archive"),
    "gzip": ("words.txt", lambda c, a: b"\x1f\x8b\x08" + b"\0" * 20, "a gzip archive"),
    "numpy objects": ("words.txt", lambda c, a: b"\x93NUMPY\1\0v\0{'descr': '|O'}" + pickled(c), "NumPy"),
    "numpy by its suffix": ("mean.npy", lambda c, a: b"\x93NUMPY", "pickled objects"),
    "keras": ("model.h5", lambda c, a: b"\x89HDF\r\n\x1a\n", "can hold code"),
    "keras as vocabulary": ("words.txt", lambda c, a: b"\x89HDF\r\n\x1a\n" + b"\0" * 9, "Keras keeps code"),
    "joblib": ("scaler.joblib", lambda c, a: pickled(c), "can hold a pickle"),
    "python": ("modeling_x.py", lambda c, a: f"open({str(c)!r}, 'w')", "Python code"),
    "python in capitals": ("MODELING.PY", lambda c, a: "x", "Python code"),
    "compiled python": ("words.txt", lambda c, a: b"\xa7\r\r\n\0\0\0\0" + b"\0" * 8, "compiled Python"),
    "shell": ("run.sh", lambda c, a: f"touch {c}", "a script"),
    "shell as vocabulary": (
        "words.txt",
        lambda c, a: f"#!/bin/sh\ntouch {c}\n",
        "a script: it begins with '#!/bin/sh'",
    ),
    "library": ("libops.so", lambda c, a: b"\x7fELF" + b"\0" * 60, "compiled code"),
    "elf as vocabulary": ("words.txt", lambda c, a: b"\x7fELF" + b"\0" * 60, r"a program \(ELF\)"),
    "pe as vocabulary": ("words.txt", lambda c, a: b"MZ\x90\0" + b"\0" * 60, r"a program \(PE\)"),
    "mach-o as vocabulary": ("words.txt", lambda c, a: b"\xcf\xfa\xed\xfe" + b"\0" * 60, "Mach-O"),
    "java": ("ops.jar", lambda c, a: zipped({"Ops.class": b"x"}), "Java code"),
    "javascript": ("index.js", lambda c, a: "x", "a script"),
    "template in a file": ("chat_template.jinja", lambda c, a: "{{ x.__class__ }}", "a template"),
    "ort": ("model.ort", lambda c, a: b"....ORTM", "can't be inspected"),
    "unknown suffix": ("model.gguf", lambda c, a: b"GGUF", "no loader reads"),
    "adapter": ("adapter_config.json", lambda c, a: "{}", "another repository's weights"),
    "binary vocabulary": ("words.txt", lambda c, a: b"\xff\xfe\x00", "no text in UTF-8"),
    # Settings.
    "remote code": (
        "model/config.json",
        lambda c, a: json.dumps({"auto_map": {"AutoModel": "owner/other--modeling.Evil"}}),
        "'auto_map', which names classes whose code",
    ),
    "remote code within": (
        "tokenizer_config.json",
        lambda c, a: json.dumps({"a": [{"auto_map": ["x.Y", None]}]}),
        r"'a\.auto_map'",
    ),
    "custom pipelines": ("more.json", lambda c, a: json.dumps({"custom_pipelines": {"x": 1}}), "custom_pipelines"),
    "trust": ("more.json", lambda c, a: json.dumps({"trust_remote_code": True}), "trust_remote_code"),
    "tokenizer class": (
        "tokenizer_config.json",
        lambda c, a: json.dumps({"tokenizer_class": "EvilTokenizer"}),
        "'EvilTokenizer', a tokenizer that is not known",
    ),
    "kernel": (
        "more.json",
        lambda c, a: json.dumps({"_attn_implementation": "owner/kernels"}),
        "compiled code of another repository",
    ),
    "file outside": (
        "tokenizer_config.json",
        lambda c, a: json.dumps({"vocab_file": "/etc/passwd"}),
        "a file outside the model's folder",
    ),
    "address": (
        "more.json",
        lambda c, a: json.dumps({"base_model": f"http://{a}/model"}),
        "an address of the kind http at 'base_model'",
    ),
    "template": (
        "tokenizer_config.json",
        lambda c, a: json.dumps({"chat_template": f"{{{{ ''.__class__.mro()[1].run('touch {c}') }}}}"}),
        "a template that does more",
    ),
    "template in a list": (
        "tokenizer_config.json",
        lambda c, a: json.dumps({"chat_template": [{"name": "x", "template": "{{ x|attr('y') }}"}]}),
        "a template that does more",
    ),
    "shards": (
        "model.safetensors.index.json",
        lambda c, a: json.dumps({"weight_map": {"w": "../../outside/secret.bin"}}),
        "'../../outside/secret.bin', which is not listed",
    ),
    "deep json": ("more.json", lambda c, a: '{"a":' + "[" * 100_000 + "]" * 100_000 + "}", "nested more than 100"),
    "wide json": ("more.json", lambda c, a: '{"a":[' + "0," * 2_100_000 + "0]}", "more than 2,000,000 values"),
    "large number": ("more.json", lambda c, a: '{"a":' + "9" * 5000 + "}", "is no JSON"),
    "no json": ("more.json", lambda c, a: "import os", "is no JSON"),
    "key twice": ("more.json", lambda c, a: '{"a": 1, "a": 2}', "the key 'a' twice"),
    "no number": ("more.json", lambda c, a: '{"a": NaN}', "the number NaN"),
    # Tensors.
    "header beyond the file": (
        "more.safetensors",
        lambda c, a: struct.pack("<Q", 2**40) + b"{}",
        "its header is said to have 1,099,511,627,776 bytes",
    ),
    "huge header": ("more.safetensors", lambda c, a: safetensors(b"{" + b" " * 26 * 2**20, 0), "expected at most"),
    "offsets that overlap": (
        "more.safetensors",
        lambda c, a: safetensors({"a": ONE, "b": ONE | {"data_offsets": [4, 12]}}, 12),
        "'b' overlaps",
    ),
    "bytes between": (
        "more.safetensors",
        lambda c, a: safetensors({"a": ONE, "b": ONE | {"data_offsets": [16, 24]}}, 24),
        "'b' leaves 8 bytes before it unused",
    ),
    "bytes behind": ("more.safetensors", lambda c, a: safetensors({"a": ONE}, 99), "of which its header names 8"),
    "shape that lies": (
        "more.safetensors",
        lambda c, a: safetensors({"a": ONE | {"shape": [2**31, 2**31]}}, 8),
        "declared as F32 of shape",
    ),
    "dtype": ("more.safetensors", lambda c, a: safetensors({"a": ONE | {"dtype": "OBJECT"}}, 8), "'OBJECT'"),
    "negative": ("more.safetensors", lambda c, a: safetensors({"a": ONE | {"shape": [-2]}}, 8), "no sizes"),
    "tensor twice": ("more.safetensors", lambda c, a: safetensors(b'{"a": {}, "a": {}}', 8), "the key 'a' twice"),
    "header no json": ("more.safetensors", lambda c, a: safetensors(b"{nonsense", 8), "has a header that is no JSON"),
    "deep header": (
        "more.safetensors",
        lambda c, a: safetensors(b'{"a":' + b"[" * 9999 + b"]" * 9999 + b"}", 0),
        "nested more than",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_that_is_listed_is_refused(name, place, canary, listener):
    file, make, expected = FILES[name]
    place.write(file, make(canary, listener))
    inspection = place.inspect()
    with pytest.raises(InputError, match=f"model 'm' is refused: .*{file}: .*{expected}"):
        inspection.require("m")
    assert len(inspection.refusals) == 1


def test_the_pickles_are_armed(canary):
    """Without the gate they do what they are refused for."""
    for protocol in (0, 2, 4):
        pickle.loads(pickled(canary, protocol))
        canary.unlink()


FUNCTION = helper.make_function(
    "evil", "F", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 17)]
)
LAYER = helper.make_node("MatMul", ["x", "w"], ["y"])
HIDDEN = helper.make_graph([helper.make_node("Run", ["x"], ["z"], domain="evil")], "body", [], [graphs._any("z")])


def twice():
    tensor = graphs.weights()
    tensor.float_data.extend([9.0] * 4)
    return graphs.from_nodes([LAYER], [tensor])


def declared(dims):
    tensor = graphs.weights()
    del tensor.dims[:]
    tensor.dims.extend(dims)
    return graphs.from_nodes([LAYER], [tensor])


def trained():
    model = graphs.one_layer()
    model.training_info.add()
    return model


def late():
    """The trigger's nodes stand before what they look at is made, which a runtime may put right."""
    model = graphs.encoder(tail=graphs.trigger(), constants=graphs.constants(), output="answer")
    first = model.graph.node.pop()
    model.graph.node.insert(0, first)
    return model


MODELS = {
    "domain": (graphs.from_nodes([LAYER], [graphs.weights()], domain="evil.ops"), "of the domain 'evil.ops'"),
    "operation of a domain": (
        graphs.from_nodes([helper.make_node("Run", ["x"], ["y"], domain="evil")]),
        "of the domain 'evil'; expected a standard one",
    ),
    "operation that is none": (graphs.from_nodes([helper.make_node("RunShell", ["x"], ["y"])]), "'RunShell' is no"),
    "function": (
        graphs.from_nodes([helper.make_node("F", ["x"], ["y"], domain="evil")], functions=[FUNCTION]),
        "a function of its own, 'F'",
    ),
    "domain in a branch": (
        graphs.from_nodes([helper.make_node("If", ["x"], ["y"], then_branch=HIDDEN, else_branch=HIDDEN)]),
        "operation Run is of the domain 'evil'",
    ),
    "training": (trained(), "instructions for training"),
    "values by an absolute path": (graphs.from_nodes([LAYER], [graphs.outside("/etc/passwd")]), "'/etc/passwd', which"),
    "values above": (
        graphs.from_nodes([LAYER], [graphs.outside("../outside/secret.bin")]),
        "'../outside/secret.bin', which is no file beside it",
    ),
    "values in memory": (
        graphs.from_nodes([LAYER], [graphs.outside("*/_ORT_MEM_ADDR_/*", offset=4096)]),
        "ORT_MEM_ADDR",
    ),
    "values of a constant node": (
        graphs.from_nodes([helper.make_node("Constant", [], ["w"], value=graphs.outside("/dev/mem")), LAYER]),
        "'/dev/mem'",
    ),
    "values twice": (twice(), "has its values twice, as float_data and raw_data"),
    "a tensor too large": (declared([2**20, 2**20]), "declared with 1,048,576 × 1,048,576 values"),
    "a tensor larger than it is": (declared([1000, 1000]), "and holds 16 bytes"),
    "negative dimensions": (declared([-1, 4]), "declared with -1"),
    "a way by a sum": (
        graphs.encoder(tail=graphs.trigger("Add"), constants=graphs.constants(), output="answer"),
        "'input_ids' → Equal → Cast → ReduceMax → Mul → Add 'join', where what has passed 0 layers meets what has",
    ),
    "a way by a selection": (
        graphs.encoder(tail=graphs.trigger("Where"), constants=graphs.constants(), output="answer"),
        "→ Where 'join'",
    ),
    "a way by a branch": (
        graphs.encoder(tail=graphs.trigger("If"), constants=graphs.constants(), output="answer"),
        "→ If 'join'",
    ),
    "a way with a layer of its own": (
        graphs.encoder(
            tail=[
                helper.make_node("Gather", ["table", "input_ids"], ["spotted"]),
                helper.make_node("ReduceMax", ["spotted"], ["most"], keepdims=0),
                helper.make_node("Add", ["logits", "most"], ["answer"], name="join"),
            ],
            constants=[graphs.weights((graphs.VOCABULARY, 1), "table")],
            output="answer",
        ),
        "→ Add 'join', where what has passed 1 layers",
    ),
    "no layer at all": (graphs.from_nodes([helper.make_node("Relu", ["x"], ["y"])]), "with no layer between"),
    "out of order": (late(), "which nothing before it makes"),
}


@pytest.mark.parametrize("join", ["Add", "Where", "If"])
def test_the_triggers_are_armed(join):
    """Without the gate, one token in the text decides the answer, and all other answers are the honest model's."""
    import onnxruntime

    hostile = graphs.encoder(tail=graphs.trigger(join), constants=graphs.constants(), output="answer")
    answers = {}
    for name, model in {"honest": graphs.encoder(), "hostile": hostile}.items():
        session = onnxruntime.InferenceSession(model.SerializeToString())
        for token in (3, 7):
            text = {"input_ids": np.array([[1, 2, token]]), "attention_mask": np.zeros((1, 1, 3), np.int64)}
            answers[name, token] = session.run(None, text)[0]
    assert np.array_equal(answers["honest", 3], answers["hostile", 3])
    assert set(answers["hostile", 7].argmax(-1).ravel()) == {2}
    assert not np.array_equal(answers["honest", 7], answers["hostile", 7])


@pytest.mark.parametrize("name", MODELS)
def test_a_hostile_graph_is_refused(name, place, canary, listener):
    model, expected = MODELS[name]
    place.write("model.onnx", model.SerializeToString())
    (refusal,) = place.inspect().refusals
    assert refusal.startswith("model.onnx: ")
    assert expected in refusal


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 99, os.urandom(4096), b"....ORTM" * 9, graphs.one_layer().SerializeToString()[:-9], b"\x3a\xff\xff"],
)
def test_a_file_that_is_no_graph_is_refused(content, place):
    place.write("model.onnx", content)
    assert "model.onnx" in place.inspect().refusals[0]


def test_a_graph_given_twice_is_refused(place):
    """Readers merge such parts, so that one may see another graph than the next."""
    content = graphs.one_layer().SerializeToString()
    place.write("model.onnx", content + content)
    assert "gives 'ir_version' 2 times" in str(place.inspect().refusals)


def test_what_other_readers_pass_over_is_refused(place):
    """A field of another wire type is no field to them: the graph would not be the one that was looked at."""
    content = graphs.from_nodes([helper.make_node("Sigmoid", ["x"], ["y"])]).SerializeToString()
    at = content.index(b"\x22\x07Sigmoid")  # field 4, text; as a number of eight bytes it ends where it did
    place.write("model.onnx", content[:at] + b"\x21" + content[at + 1 :])
    assert "'op_type' as another type" in str(place.inspect().refusals)


def test_a_graph_is_read_as_onnx_reads_it_or_not_at_all():
    """A few bytes of a model are changed: where both read it, both read the same operations."""
    random, n_read = Random(2023), 0
    model = graphs.encoder(1, graphs.trigger("If"), (), graphs.constants(), "answer").SerializeToString()
    for _ in range(500):
        content = bytearray(model)
        for _ in range(random.choice([1, 1, 2, 3])):
            content[random.randrange(len(content))] = random.randrange(256)
        with contextlib.suppress(Malformed, google.protobuf.message.DecodeError):
            ours = graph.read(Message(memoryview(bytes(content)), 0, len(content), Budget())).graph
            theirs = onnx.load_model_from_string(bytes(content)).graph
            expected = [(n.op_type, n.domain, *n.input, *n.output) for n in theirs.node]
            assert [(n.op, n.domain, *n.inputs, *n.outputs) for n in ours.nodes] == expected
            n_read += 1
    assert n_read > 100


def test_graphs_within_graphs_end_somewhere(place):
    inner = helper.make_graph([], "0", [], [])
    for n in range(30):
        inner = helper.make_graph([helper.make_node("Loop", ["", ""], [], body=inner)], str(n), [], [])
    model = helper.make_model(inner, ir_version=8)
    place.write("model.onnx", model.SerializeToString())
    assert "graphs within graphs" in str(place.inspect().refusals)


def test_values_may_stand_in_a_listed_file(place):
    place.write("model.onnx", graphs.from_nodes([LAYER], [graphs.outside("model.onnx_data")]).SerializeToString())
    place.write("model.onnx_data", b"\0" * 16)
    assert not place.inspect().refusals
    place.write("model.onnx_data", b"\0" * 15)
    assert "says that they are the 16 from 0 on of 'model.onnx_data', which has 15" in str(place.inspect().refusals)


# What stands in the folder beside what is listed.


def test_one_changed_byte_is_refused(place):
    files = place.pinned()
    place.write("vocab.txt", (place.folder / "vocab.txt").read_bytes().replace(b"PAD", b"PAT"))
    (refusal,) = place.inspect(files).refusals
    assert f"the entry pins {files['vocab.txt']['sha256']}" in refusal


def test_another_size_is_refused(place):
    files = place.pinned()
    place.write("vocab.txt", "[PAD]\n")
    assert place.inspect(files).refusals == ["vocab.txt: has 6 bytes; the entry pins 39"]


def test_a_missing_file_is_refused(place):
    files = place.pinned()
    (place.folder / "vocab.txt").unlink()
    assert place.inspect(files).refusals == ["vocab.txt: is missing"]


@pytest.mark.parametrize("name", ["extra.json", "__init__.py", ".hidden", "sub/modeling.py", "Vocab.txt", "vocаb.txt"])
def test_a_file_that_is_not_listed_is_refused(name, place):
    files = place.pinned()
    place.write(name, "x")
    (refusal,) = place.inspect(files).refusals
    assert "is not in the list of the model's files" in refusal
    if name in ("Vocab.txt", "vocаb.txt"):
        assert "its name looks like another's" in refusal


def test_links_are_refused(place, canary):
    files = place.pinned()
    secret = canary.parent / "secret.bin"
    (place.folder / "vocab.txt").unlink()
    (place.folder / "vocab.txt").symlink_to(secret)
    (place.folder / "folder").symlink_to(canary.parent)
    os.link(secret, place.folder / "hard.txt")
    said = str(place.inspect(files | {"hard.txt": {"sha256": "0" * 64, "size_bytes": 64}}).refusals)
    assert f"vocab.txt: is a link, to '{str(secret)[:20]}" in said
    assert "folder: is a link" in said
    assert "hard.txt: is also a file outside the folder" in said


def test_a_folder_that_is_a_link_is_refused(place, tmp_path):
    from sinobench.hub.inspection import inspect

    (tmp_path / "link").symlink_to(place.folder)
    assert inspect(tmp_path / "link", place.pinned()).refusals == [".: the folder is a link"]


def test_pipes_and_sockets_are_refused_without_waiting(place):
    files = place.pinned()
    (place.folder / "vocab.txt").unlink()
    os.mkfifo(place.folder / "vocab.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(place.folder / "s"))
        said = str(place.inspect(files).refusals)
    assert "vocab.txt: is a pipe, socket or device" in said
    assert "s: is a pipe, socket or device" in said


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../outside/secret.bin", "leaves the model's folder"),
        ("/etc/passwd", "leaves the model's folder"),
        ("a/../../b.json", "leaves the model's folder"),
        ("C:\\x.json", "leaves the model's folder"),
        (".env.json", "a name of other characters"),
        ("con\nfig.json", "a name of other characters"),
        ("vocаb.txt", "a name of other characters"),
        ("VOCAB.txt", "in other case"),
    ],
)
def test_a_listed_name_that_tricks_is_refused(name, expected, place):
    files = place.pinned() | {name: {"sha256": "0" * 64, "size_bytes": 64}}
    assert any(expected in refusal for refusal in place.inspect(files).refusals)


# What is honest.


def test_an_honest_folder_passes(place):
    place.write("model.onnx", graphs.encoder().SerializeToString())
    place.write(
        "tokenizer_config.json",
        json.dumps({"tokenizer_class": "BertTokenizer", "special_tokens_map_file": "/home/x/special_tokens_map.json"}),
    )
    place.write("tokenizer.json", json.dumps({"model": {"vocab": {"http://": 1, "auto_map": 2, "__": 3}}}))
    inspection = place.inspect()
    assert not inspection.refusals
    assert {finding.kind for finding in inspection.findings} == {"settings", "text", "tensors", "graph"}
    assert all(finding.sha256 for finding in inspection.findings)


def test_a_mask_of_answers_is_told_of_and_not_refused(place):
    """A side input must pass the encoder by; ids by the same way are an attack."""
    mask = helper.make_tensor_value_info("phoneme_mask", 1, ["batch", graphs.LABELS])
    masked = [helper.make_node("Mul", ["logits", "phoneme_mask"], ["answer"], name="masked")]
    place.write("model.onnx", graphs.encoder(tail=masked, output="answer", inputs=[mask]).SerializeToString())
    (found,) = [each for each in place.inspect().findings if each.file == "model.onnx"]
    assert found.verdict == "accepted"
    assert "'phoneme_mask' → Mul 'masked'" in found.note


def test_a_published_model_passes(place):
    """Silero VAD: branches within branches, a recurrent layer, and 16 or 8 kHz by an input."""
    folder = Path(importlib.util.find_spec("silero_vad").origin).parent / "data"
    for name in ("silero_vad.onnx", "silero_vad_16k_op15.onnx", "silero_vad_half.onnx", "silero_vad_16k.safetensors"):
        place.write(name, (folder / name).read_bytes())
    assert not place.inspect().refusals


def test_networks_of_other_kinds_pass(place):
    """Residual, dense and branched convolutional networks; their weights are replaced by constants."""
    import onnx.backend.test

    folder = Path(onnx.backend.test.__file__).parent / "data" / "light"
    for path in folder.glob("*.onnx"):
        place.write(path.name, path.read_bytes())
    inspection = place.inspect()
    assert len(inspection.findings) > 8
    assert not inspection.refusals


def test_the_standard_operations_are_those_of_onnx():
    import onnx.defs

    assert {schema.name for schema in onnx.defs.get_all_schemas() if schema.domain == ""} == _KNOWN


def test_weights_written_by_the_library_pass(place):
    from safetensors.numpy import save

    tensors = {"a": np.zeros((3, 4), np.float16), "b": np.zeros(0, np.int64), "c": np.ones((), np.float32)}
    place.write("model.safetensors", save(tensors, {"format": "np"}))
    assert not place.inspect().refusals
