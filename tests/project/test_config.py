"""`.anchormem.json` is read strictly and never stops anything."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchormem.languages import names
from anchormem.project.config import FILE_NAME, SHORT_NAMES, Config, load, stamp
from anchormem.project.root import Root


def loaded(folder: Path, text: str | bytes) -> Config:
    (folder / FILE_NAME).write_bytes(text.encode() if isinstance(text, str) else text)
    return load(Root(folder))


def test_without_a_file_there_are_defaults_and_no_warning(tmp_path: Path) -> None:
    assert load(Root(tmp_path)) == Config(extensions={}, auto_import=True, warnings=(), stamp=None)
    assert stamp(Root(tmp_path)) is None


def test_settings_are_read(tmp_path: Path) -> None:
    config = loaded(tmp_path, '{"extensions": {".inc": "py", "tpl.x": "python"}, "auto_import": false}')
    assert config.extensions == {".inc": "python", ".tpl.x": "python"}
    assert not config.auto_import
    assert config.warnings == ()
    assert config.stamp == stamp(Root(tmp_path)) is not None


SHORT = ["php", "js", "ts", "tsx", "py", "rust", "cpp", "c", "go", "java", "rb", "cs", "bash"]


@pytest.mark.parametrize("short", SHORT)
def test_every_short_name_of_the_contract_is_a_language(short: str) -> None:
    assert SHORT_NAMES.get(short, short) in names()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"x"', "{'a': 1}", '{"a": NaN', b"\xff\xfe", "[" * 60000, " " * (64 * 1024 + 1)],
)
def test_a_malformed_file_gives_defaults_and_one_warning(tmp_path: Path, text: str | bytes) -> None:
    config = loaded(tmp_path, text)
    assert (config.extensions, config.auto_import) == ({}, True)
    assert len(config.warnings) == 1
    assert FILE_NAME in config.warnings[0]
    assert len(config.warnings[0]) < 300


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"extension": {}}', "extensions"),
        ('{"zzz": 1}', "zzz"),
        ('{"auto_import": "yes"}', "auto_import"),
        ('{"auto_import": 1}', "auto_import"),
        ('{"extensions": []}', "extensions"),
        ('{"extensions": {".x": "cobol"}}', "cobol"),
        ('{"extensions": {".x": 1}}', ".x"),
        ('{"extensions": {"": "py"}}', "suffix"),
        ('{"extensions": {"..": "py"}}', "suffix"),
        ('{"extensions": {"a/b": "py"}}', "a/b"),
    ],
)
def test_each_fault_is_named_and_the_default_used(tmp_path: Path, text: str, named: str) -> None:
    config = loaded(tmp_path, text)
    assert (config.extensions, config.auto_import) == ({}, True)
    assert len(config.warnings) == 1
    assert named in config.warnings[0]


def test_one_fault_leaves_the_other_settings(tmp_path: Path) -> None:
    config = loaded(tmp_path, '{"extensions": {".x": "cobol", ".y": "PY"}, "auto_import": false, "nope": 0}')
    assert config.extensions == {".y": "python"}
    assert not config.auto_import
    assert len(config.warnings) == 2


def test_many_faults_are_counted_not_listed(tmp_path: Path) -> None:
    config = loaded(tmp_path, json.dumps({f"key{number}": 0 for number in range(1000)}))
    assert len(config.warnings) == 11
    assert "990 more" in config.warnings[-1]


def test_a_symlinked_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text('{"auto_import": false}')
    root = tmp_path / "project"
    root.mkdir()
    (root / FILE_NAME).symlink_to(tmp_path / "elsewhere")
    config = load(Root(root))
    assert config.auto_import
    assert "not regular" in config.warnings[0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.binary(max_size=100)
    | st.recursive(
        st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    ).map(lambda value: json.dumps({"extensions": value, "auto_import": value}).encode())
)
def test_no_content_stops_anything(tmp_path: Path, data: bytes) -> None:
    loaded(tmp_path, data)
