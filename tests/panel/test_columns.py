"""Columns share the width, and the less important ones go first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panel.widgets.columns import GAP, Column, numbered, widths

NUMBER = Column("number", 5)
TITLE = Column("title", 10, flex=3)
FROM = Column("from", 6, flex=1, most=9, priority=1)
AGE = Column("age", 4, priority=2)
ALL = (NUMBER, TITLE, FROM, AGE)


@pytest.mark.parametrize(
    ("width", "given_widths"),
    [
        (28, (5, 10, 6, 4)),
        (32, (5, 13, 7, 4)),
        (60, (5, 39, 9, 4)),
        (27, (5, 13, 7, 0)),
        (23, (5, 10, 6, 0)),
        (22, (5, 16, 0, 0)),
        (16, (5, 10, 0, 0)),
        (15, (5, 0, 0, 0)),
        (3, (3, 0, 0, 0)),
        (0, (0, 0, 0, 0)),
        (-4, (0, 0, 0, 0)),
    ],
)
def test_columns_at_a_width(width: int, given_widths: tuple[int, ...]) -> None:
    assert widths(ALL, width) == given_widths


def test_no_columns_take_no_width() -> None:
    assert widths((), 10) == ()


COLUMNS = st.lists(
    st.builds(
        Column,
        st.just(""),
        st.integers(1, 30),
        st.integers(0, 4),
        st.one_of(st.none(), st.integers(30, 60)),
        st.integers(0, 3),
        since=st.just(0),
    ),
    min_size=1,
    max_size=8,
)


@given(COLUMNS, st.integers(0, 300))
def test_what_is_given_is_never_more_than_there_is(columns: list[Column], width: int) -> None:
    given_widths = widths(columns, width)
    shown = [size for size in given_widths if size]
    assert sum(shown) + GAP * max(len(shown) - 1, 0) <= width
    for column, size in zip(columns, given_widths, strict=True):
        assert column.most is None or size <= max(column.most, column.least)
        assert size == 0 or size >= column.least or len(shown) == 1
    gone = [column.priority for column, size in zip(columns, given_widths, strict=True) if not size]
    kept = [column.priority for column, size in zip(columns, given_widths, strict=True) if size]
    assert not gone or not kept or min(gone) >= max(kept)
    # Nothing lies idle while a column could take it.
    idle = width - sum(shown) - GAP * max(len(shown) - 1, 0)
    growing = [
        column
        for column, size in zip(columns, given_widths, strict=True)
        if size and column.flex and (column.most is None or size < column.most)
    ]
    assert idle == 0 or not growing


def test_a_column_is_left_out_where_the_list_is_narrower_than_it_asks_for() -> None:
    columns = (NUMBER, TITLE, Column("time", 5, since=40))
    assert widths(columns, 39)[2] == 0
    assert widths(columns, 40)[2] == 5


def test_the_column_of_numbers_is_as_wide_as_the_newest() -> None:
    columns = (Column("#", 3), TITLE)
    assert [numbered(columns, newest)[0].least for newest in (0, 9, 1284, 1_000_000)] == [
        2,
        2,
        5,
        8,
    ]
    assert numbered((Column("line", 4), TITLE), 7)[0].least == 4
    assert numbered(columns, 9)[1] == TITLE
