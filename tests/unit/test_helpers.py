"""What templates call: signatures as written, wrong calls told by function and argument."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.core.problems import SourceLocation
from exporter.render.template_helpers import explain_fault, helpers_in
from exporter.render.typesetter import TypstFault

FITTED = (
    'fitted(width, height, size, text, minimum: 5pt, field: "", marks: (:), weight: "regular", '
    "fill: ink, font: sans, leading: 0.34em, alignment: top + left, justify: true)"
)
TEMPLATE = """\
#import "../lib.typ": *
#let own(a, b: (1, "x)"), ..more) = box(a) // ) and , in remarks
#let face(values) = place(top, {
  CALL
})
"""


def test_signatures_are_read_as_they_are_written() -> None:
    found = helpers_in(
        "/// does this\n/// and that\n#let f(\n  a, // one\n  b: (1, 2),\n) = 3\n#let c = 2\n"
    )
    assert found["f"].signature == "f(a, b: (1, 2))"
    assert found["f"].says.en == "does this and that"
    assert found["c"].signature == "c"
    own = helpers_in(TEMPLATE)["own"]
    assert own.signature == 'own(a, b: (1, "x)"), ..more)'
    assert own.names == ["a", "b", "..more"]


@pytest.mark.parametrize(
    ("call", "at", "message", "said", "hint"),
    [
        (
            "fitted(1mm, siz: 2mm)", "siz", "unexpected argument: siz",
            "`fitted` has no argument `siz`.", f"Did you mean 'size'? Usage: {FITTED}.",
        ),
        (
            'fitted(1mm, fill: f("("), minimun: 2pt)', "minimun", "unexpected argument: minimun",
            "`fitted` has no argument `minimun`.", f"Did you mean 'minimum'? Usage: {FITTED}.",
        ),
        (
            "squeezed(own(1), 2, 3, own(4))", "own(4", "unexpected argument",
            "`squeezed` was given one argument too many.",
            'Usage: squeezed(width, size, body, weight: "regular", fill: ink, font: sans, '
            "narrowest: 72%, alignment: center).",
        ),
        (
            "fitted(1mm)", "fitted", "missing argument: height",
            "`fitted` needs the argument `height`.", f"Usage: {FITTED}.",
        ),
        (
            "fitted(1, 2)", "fitted", "assertion failed: @width takes length, found integer",
            "The argument `width` of `fitted` takes length; found integer.", f"Usage: {FITTED}.",
        ),
        (
            "own(2)", "own", "cannot add this to that",
            "`own` cannot be used like this: cannot add this to that.",
            'Usage: own(a, b: (1, "x)"), ..more).',
        ),
        (
            "fittd(1)", "fittd", "unknown variable: fittd",
            "`fittd` is not defined here.", "Did you mean 'fitted'?",
        ),
        (
            "text(siz: 3pt)[a]", "siz", "unexpected argument: siz",
            "`text` has no argument `siz`.",
            "Arguments of Typst's own functions: https://typst.app/docs/reference/",
        ),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told_by_function_and_argument(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    at: str,
    message: str,
    said: str,
    hint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "templates" / "faces" / "tea" / "card.typ"
    path.parent.mkdir(parents=True)
    path.write_text(TEMPLATE.replace("CALL", call), "utf-8")
    where = SourceLocation(str(path), 4, 3 + call.index(at))
    found = explain_fault(TypstFault(message, "", where))
    assert found is not None
    assert found.both("en") == (said, hint)
    japanese, _ = found.both("ja")
    assert f"`{call.split('(')[0] if at != 'own(4' else 'squeezed'}`" in japanese


@pytest.mark.parametrize(
    ("message", "file", "at"),
    [
        ('dictionary does not contain key "nam"', "card.typ", (1, 28)),
        ("unexpected argument: b", "card.typ", (0, 0)),  # nobody knows where
        ("anything", "none.typ", (1, 1)),
    ],
)
def test_what_is_no_call_stays_in_the_words_of_typst(
    tmp_path: Path, message: str, file: str, at: tuple[int, int]
) -> None:
    text = "#let face(values) = values.nam\n#let f(a) = a\n#f(\n  1)"
    (tmp_path / "card.typ").write_text(text, "utf-8")
    where = SourceLocation(str(tmp_path / file), *at)
    assert explain_fault(TypstFault(message, "", where)) is None
