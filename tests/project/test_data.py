"""Where anchormem keeps its own files."""

from pathlib import Path
from types import SimpleNamespace

import platformdirs
import platformdirs.macos
import platformdirs.windows
import pytest

from anchormem.errors import Refused
from anchormem.project import place
from anchormem.project.data import data_directory
from anchormem.project.root import find_root


def test_the_variable_decides_and_nothing_is_created(private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(private_home / "elsewhere"))
    assert data_directory() == private_home / "elsewhere"
    assert not (private_home / "elsewhere").exists()


@pytest.mark.parametrize("value", ["", "  "])
def test_without_it_the_platform_decides(value: str, private_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", value)
    assert data_directory().is_relative_to(private_home)
    assert data_directory().name == "anchormem"


def test_a_tilde_and_a_relative_value_are_made_absolute(
    private_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", "~/memory")
    assert data_directory() == private_home / "memory"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", "memory")
    assert data_directory() == tmp_path / "memory"


def test_it_never_lies_inside_the_project(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = find_root(repository)
    (tmp_path / "link").symlink_to(repository)
    for inside in (repository, repository / "data", tmp_path / "link" / "data"):
        monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(inside))
        with pytest.raises(Refused, match="inside the project") as refused:
            data_directory(root)
        assert "ANCHORMEM_DATA_DIR" in refused.value.hint
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "data"))
    assert data_directory(root) == tmp_path / "data"


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_in_its_place_is_named(below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taken").write_text("a file\n")
    monkeypatch.setenv("ANCHORMEM_DATA_DIR", str(tmp_path / "taken" / below))
    with pytest.raises(Refused, match="taken is no directory") as refused:
        data_directory()
    assert "ANCHORMEM_DATA_DIR" in refused.value.hint


@pytest.mark.parametrize("shared", [None, "", "  ", "/srv/share", "relative"])
@pytest.mark.parametrize("home", ["/home/somebody", "/home/ö b", "relative", None])
def test_without_the_variable_it_is_where_platformdirs_says(
    home: str | None, shared: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANCHORMEM_DATA_DIR")
    for name, value in (("HOME", home), ("XDG_DATA_HOME", shared)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert place.named() == platformdirs.user_data_dir("anchormem", appauthor=False)


@pytest.mark.parametrize(
    ("system", "directory"),
    [("darwin", "home/Library/Application Support/anchormem"), ("win32", "home/AppData/Local/anchormem")],
)
def test_on_another_system_it_is_where_programs_keep_their_own_files_there(
    system: str, directory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {"darwin": platformdirs.macos.MacOS, "win32": platformdirs.windows.Windows}
    for name in ("ANCHORMEM_DATA_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "home" / "AppData" / "Local"))
    monkeypatch.setattr(place, "sys", SimpleNamespace(platform=system))
    monkeypatch.setattr(platformdirs, "PlatformDirs", kinds[system])
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", platformdirs.windows.get_win_folder_from_env_vars)
    assert Path(place.named()) == tmp_path / directory
