import pytest

from exporter.problems import InvalidSource, Where
from exporter.texts import fill, plain

HERE = Where("layouts.yaml", 7)


def test_places_are_filled_and_the_clients_own_braces_stay() -> None:
    values = {"mech": "レイダー", "移動値": "5"}
    assert fill("${mech}：${移動値}／{移動値}、$5", values, HERE) == "レイダー：5／{移動値}、$5"


def test_every_unknown_place_is_a_problem_that_names_the_nearest() -> None:
    with pytest.raises(InvalidSource) as caught:
        fill("${mehc} ${sea}", {"mech": "A"}, HERE)
    first, second = caught.value.problems
    assert (
        str(first)
        == "layouts.yaml:7: error TEXT ${mehc} stands for nothing here. Did you mean 'mech'?"
    )
    assert "${sea}" in second.message


def test_marks_become_characters_and_ruby_is_left_out() -> None:
    assert plain("[bomb]付きの{機雷|きらい}", {"bomb": "💣"}) == "💣付きの機雷"
