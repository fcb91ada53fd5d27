"""The page of faults claims what tests show, and tests are marked with what the page lists."""

from __future__ import annotations

import ast

from tests.house.faults import NOT_BUILT, PAGE, ids_in, marked, rows

ROWS = rows(PAGE.read_text("utf-8"))
MARKED = marked()


def _in_order(ids: set[str]) -> str:
    known = [each for _, each, _ in ROWS]
    return ", ".join(sorted(ids, key=lambda each: (known.index(each) if each in known else len(known), each)))


def test_every_mark_of_a_test_is_a_row_of_the_page() -> None:
    unknown = set(MARKED) - {each for _, each, _ in ROWS}
    assert not unknown, f"docs/faults.md has no row for {', '.join(f'{each} ({MARKED[each]})' for each in unknown)}"


def test_every_row_that_claims_something_has_a_test() -> None:
    bare = {each for section, each, _ in ROWS if section != NOT_BUILT} - set(MARKED)
    assert not bare, f"no test carries these ids; mark one, or move down to '{NOT_BUILT}': {_in_order(bare)}"


def test_no_row_that_a_test_carries_is_said_to_be_unbuilt() -> None:
    built = {each for section, each, _ in ROWS if section == NOT_BUILT} & set(MARKED)
    assert not built, (
        f"tests carry these ids; move up from '{NOT_BUILT}' to the section of their kind: {_in_order(built)}"
    )


def test_every_row_is_there_once_and_says_both_things_in_a_sentence() -> None:
    ids = [each for _, each, _ in ROWS]
    assert not {each for each in ids if ids.count(each) > 1}
    assert not [each for _, each, said in ROWS if not all(part.endswith(".") for part in said)]
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ") and line[2] != "-"]
    assert len(lines) - len({section for section, _, _ in ROWS}) == len(ROWS), "a line of a table is not read as a row"


def test_ids_are_read_from_marks_and_from_tables_of_cases() -> None:
    code = 'x = [pytest.mark.faults("S1", *more), Fault("a", faults=("L9", "L10")), other.faults("no")]'
    assert set(ids_in(ast.parse(code))) == {"S1", "L9", "L10"}


def test_a_page_is_read_by_section() -> None:
    text = "## A\n\n| id | seen | done |\n| --- | --- | --- |\n| S1 | x. | y. |\n## Not built yet\n| TL2b | v. | w. |\n"
    assert rows(text) == [("A", "S1", ("x.", "y.")), (NOT_BUILT, "TL2b", ("v.", "w."))]
