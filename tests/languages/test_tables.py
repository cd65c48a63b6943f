"""Each entry of the closed tables has a case that needs it and a pair that must differ all the same."""

import pytest

from languages.tables import FILES, lacking


@pytest.mark.parametrize("file", FILES)
def test_each_entry_of_a_table_has_the_case_that_needs_it_and_the_pair_that_bounds_it(file: str) -> None:
    assert lacking(file) == []
