"""A game from what somebody has: a table of cards and pictures, or finished faces.

Tables become sheets whose headings are understood (``card_sheets``, ``column_roles``), these kinds
of cards (``card_kinds``) with their pictures (``card_pictures``), these a game's files
(``game_folder``), which are tried out until their texts fit (``text_fitting``) and written; what
was taken for what stands in a report (``import_report``).
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from exporter.app.games import Named
from exporter.core.file_writer import write_whole
from exporter.core.messages import (
    Joined,
    Translated,
    sentence,
)
from exporter.core.problems import (
    Faults,
    SourceLocation,
    error_at,
)
from exporter.importer import PLAYERS
from exporter.importer.card_kinds import (
    Look,
    card_kinds,
)
from exporter.importer.card_pictures import (
    find_back,
    find_pictures,
    finished_cards,
    match_pictures,
    read_pictures,
)
from exporter.importer.card_sheets import (
    card_sheets,
    read_table,
)
from exporter.importer.column_roles import known_headings
from exporter.importer.game_folder import (
    GameParts,
    game_files,
)
from exporter.importer.import_report import (
    kind_lines,
    listed,
    picture_lines,
)
from exporter.importer.newer_table import find_changes
from exporter.importer.starter import (
    Facts,
    NewGame,
    check_new,
    check_players,
    write_game,
)
from exporter.importer.text_fitting import fit_texts
from exporter.loader.card_tables import id_of
from exporter.render.own_pictures import (
    are_cut_out,
    check_picture,
    pixel_size,
)

_SAY_NOTHING = {
    *("book", "card", "cards", "csv", "data", "deck", "decks", "export", "list", "sheet", "table"),
    *("カード", "カードリスト", "カード一覧", "デッキ", "データ", "シート", "表", "一覧"),
    "名称未設定",
}  # fmt: skip
"""Names of files that are no names of games."""


def game_from(
    name: str,
    what: str,
    out: Named = "source_data",
    *,
    pictures: Named = "",
    ja: str = "",
    en: str = "",
    players: tuple[int, int] | None = None,
    language: str = "ja",
) -> NewGame:
    """Write ``out/<name>`` from a table, ``deck.xlsx`` or ``deck.xlsx#sheet``, or from a folder of
    finished faces; what was taken for what stands in its ``report``.

    Where the game is there already, only its table and pictures are replaced, and the ``report``
    is what changed. ``pictures`` is a folder of art. Raises ``InvalidSource``, and ``ValueError``
    for numbers of players that no new game has.
    """
    check_players(players)
    folder = Path(out) / name
    file, _, sheet = what.partition("#") if not os.path.exists(what) else (what, "", "")
    path = Path(file)
    if (folder / "game.yaml").is_file() and not path.is_dir():
        return _with_newer_table(folder, path, sheet, pictures)
    stem = path.resolve().stem.strip()[:60]
    title = "" if stem.lower().rstrip("0123456789 ()-_") in _SAY_NOTHING else stem
    facts = Facts(name, ja or title or name, en or title or name, players or PLAYERS, "none")
    check_new(folder, name, (facts.ja, facts.en))
    if path.is_dir():
        parts, report = _finished_faces(path)
        return write_game(folder, game_files(facts, parts, language), language, report)
    parts, report = _cards(path, sheet, pictures, facts, language)
    (relative,) = parts.table
    report.append(sentence("import", "master-copied", path=folder / relative))
    return write_game(folder, game_files(facts, parts, language), language, report)


def _cards(
    path: Path, sheet: str, pictures: Named, facts: Facts, language: str
) -> tuple[GameParts, list[Translated]]:
    """Make the parts of a game of a table and a folder of art. Raises ``InvalidSource``."""
    data = read_table(path)
    sheets, others = card_sheets(path, data, sheet, known_headings())
    relative = f"cards/{id_of(path.stem) or 'cards'}{path.suffix.lower()}"
    kinds = card_kinds(sheets, relative)
    report: list[Translated] = []
    if others:
        names = listed([repr(each) for each in others])
        report.append(sentence("import", "other-sheets", file=path.name, names=names))
    art: dict[str, bytes] = {}
    back, art_lines = "", []
    if pictures:
        found = find_pictures(Path(pictures))
        back = find_back(found)
        kinds, matched = match_pictures(kinds, [file for file in found if file != back])
        files = {**matched.files, **({back: PurePosixPath(back).name} if back else {})}
        art = read_pictures({f"pictures/{new}": found[old] for old, new in files.items()})
        if are_cut_out(art):
            kinds = [replace(kind, art_is_cut_out=kind.has_art) for kind in kinds]
        art_lines.append(picture_lines(matched, back))
    parts = fit_texts(GameParts(tuple(kinds), {relative: data}, art, back), facts, language)
    report += [kind_lines(kind) for kind in parts.kinds]
    if parts.marks:
        report.append(sentence("import", "marks", names=listed(list(parts.marks))))
    return parts, [*report, *art_lines]


def _finished_faces(folder: Path) -> tuple[GameParts, list[Translated]]:
    """Make the parts of a game of finished faces. Raises ``InvalidSource``."""
    data, files, back = finished_cards(find_pictures(folder))
    if len(files) == bool(back):
        raise error_at(SourceLocation(str(folder)), "FROM", "only-back", path=folder)
    pictures = read_pictures(files)
    faults = Faults()
    for name, picture in pictures.items():
        faults.problems += check_picture(picture, None, str(files[name]), whole=False, larger=True)
    faults.stop_if_any()
    sheets, _others = card_sheets(Path("cards.csv"), data, "", known_headings())
    (kind,) = card_kinds(sheets, "cards/cards.csv")
    width, height = pixel_size(next(iter(pictures.values())))
    side = 63.0 if height >= width else 88.0
    kind = replace(kind, look=Look((side, round(side * height / width, 1))))
    copies = kind.column("copies")
    total = sum(map(int, copies.values)) if copies else len(kind.ids)
    lines = (
        sentence("import", "finished", count=len(kind.ids), total=total),
        sentence("import", "back-is" if back else "back-drawn", back=back),
        sentence("import", "finished-names"),
    )
    return GameParts((kind,), {"cards/cards.csv": data}, pictures), [Joined(lines, "\n  ")]


def _with_newer_table(folder: Path, path: Path, sheet: str, pictures: Named) -> NewGame:
    """Replace the table and pictures of a game. Raises ``InvalidSource``."""
    found = find_changes(folder, path, read_table(path), os.fspath(pictures), sheet)
    written = write_whole({folder / name: data for name, data in found.files.items()})
    names = tuple(sorted(str(each.relative_to(folder)) for each in written.new))
    return NewGame(folder, names, folder.parent / "schemas", found.report)
