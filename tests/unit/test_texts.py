import pytest

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.faces.face_texts import fill, fill_lines, fill_parts, plain

HERE = SourceLocation("layouts.yaml", 7)


def test_places_are_filled_and_the_clients_own_braces_stay() -> None:
    values = {"mech": "レイダー", "移動値": "5"}
    assert fill("${mech}：${移動値}／{移動値}、$5", values, HERE) == "レイダー：5／{移動値}、$5"


def test_every_unknown_place_is_a_problem_that_names_the_nearest() -> None:
    with pytest.raises(InvalidSource) as caught:
        fill("${mehc} ${sea}", {"mech": "A"}, HERE)
    first, second = caught.value.problems
    assert (
        str(first)
        == "layouts.yaml:7: error TEXT There is no value for ${mehc}. Did you mean 'mech'?"
    )
    assert "${sea}" in second.message


def test_a_line_that_says_nothing_once_it_is_filled_is_left_out() -> None:
    text = "★山札は${how}\n${all}\n\n引く。"
    assert fill_lines(text, {"how": "混ぜる。", "all": ""}, HERE) == "★山札は混ぜる。\n\n引く。"
    with pytest.raises(InvalidSource) as caught:
        fill_lines("${a}\n${b}", {}, HERE)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("range_", "damage", "line"),
    [
        ("2～3", "3", "剣（白兵） 射程2～3 ダメージ3"),
        ("-", "3", "剣（白兵） ダメージ3"),
        ("-", "", "剣（白兵）"),
    ],
)
def test_what_a_card_has_not_is_not_said_of_it(range_: str, damage: str, line: str) -> None:
    values = {"name": "剣", "kinds": "白兵", "range": range_, "damage": damage}
    parts = ("${name}（${kinds}）", "射程${range}", "ダメージ${damage}")
    assert fill_parts(parts, values, HERE) == line


def test_marks_become_characters_and_ruby_is_left_out() -> None:
    assert plain("[bomb]付きの{機雷|きらい}", {"bomb": "💣"}) == "💣付きの機雷"
