"""A game begun from what somebody has: tables of cards, pictures, finished faces."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from exporter.app.arguments import (
    Named,
    folder_of,
)
from exporter.core.messages import (
    Joined,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    SourceLocation,
    error_at,
)
from exporter.importer.import_report import (
    doubled_said,
    kind_said,
    listed,
    pictures_said,
)
from exporter.importer.scaffold import (
    PLAYERS,
    Begun,
    check_players,
    write_schemas,
)

if TYPE_CHECKING:
    from exporter.importer.game_files import BroughtGame
    from exporter.importer.kinds_from_sheets import BroughtKind
    from exporter.importer.starter import Facts


def game_from(
    name: str,
    what: str,
    out: Named = "source_data",
    *,
    pictures: Named = "",
    ja: str = "",
    en: str = "",
    players: tuple[int, int] | None = None,
    link: bool = False,
    language: str = "ja",
) -> Begun:
    """Write ``out/<name>`` from a table, ``deck.xlsx`` or ``deck.xlsx#sheet``, or from a folder of
    finished faces; what was taken for what stands in ``said``.

    Where the game is there already, only its table and pictures are brought anew, and ``said`` is
    what changed. ``pictures`` is a folder of art; with ``link`` the table stays where it lies, and
    a setting of the user's says where. Raises ``InvalidSource``, and ``ValueError`` for numbers of
    players that no new game has.
    """
    from exporter.core.shipped_files import shipped
    from exporter.importer import starter

    check_players(players)
    folder = Path(out) / name
    templates = shipped("templates") / "new"
    path, _, sheet = what.partition("#") if not os.path.exists(what) else (what, "", "")
    title = _title(Path(path)) or name
    facts = starter.Facts(name, ja or title, en or title, players or PLAYERS, "none")
    if (folder / "game.yaml").is_file() and not os.path.isdir(path):
        return _again(folder, Path(path), sheet, os.fspath(pictures), templates, out, link=link)
    starter.check_new(folder, facts)
    if os.path.isdir(path):
        files, said = _from_pictures(Path(path), templates, facts, language)
    else:
        files, said = _from_table(
            Path(path), sheet, pictures, templates, facts, folder, link=link, language=language
        )
    starter.write_folder(folder, files)
    schemas = Path(out) / "schemas"
    if not schemas.exists():
        write_schemas(schemas, language=language)
    return Begun(folder, tuple(sorted(files)), schemas, tuple(said))


_SAY_NOTHING = {
    *("book", "card", "cards", "csv", "data", "deck", "decks", "export", "list", "sheet", "table"),
    *(
        "カード",
        "カードリスト",
        "カード一覧",
        "デッキ",
        "データ",
        "シート",
        "表",
        "一覧",
        "名称未設定",
    ),
}


def _title(path: Path) -> str:
    """What a table or a folder calls the game, if its name says anything."""
    stem = path.resolve().stem.strip()
    return "" if stem.lower().rstrip("0123456789 ()-_") in _SAY_NOTHING else stem[:60]


def _again(
    folder: Path,
    path: Path,
    sheet: str,
    pictures: str,
    templates: Path,
    out: Named,
    *,
    link: bool,
) -> Begun:
    """The table and pictures of a game that is there, and what changed by them."""
    from exporter.core.file_writer import write_whole
    from exporter.importer.reimport import brought_again

    found = brought_again(folder, path, _table(path), pictures, templates, sheet)
    written = write_whole({folder / name: data for name, data in found.files.items()})
    said = list(found.said)
    if link:
        from exporter.loader.table_links import links_with

        relative = next(iter(found.files))
        write_whole(dict([links_with(folder, relative, path)]))
        said.append(sentence("brought", "linked", file=relative, path=path))
    names = tuple(sorted(str(each.relative_to(folder)) for each in written.new))
    return Begun(folder, names, Path(out) / "schemas", tuple(said))


def _table(path: Path) -> bytes:
    """A table's bytes. Raises ``InvalidSource``."""
    from exporter.core.file_types import TABLES
    from exporter.core.source_files import (
        MAX_BYTES,
        Unreadable,
        read_bytes,
    )

    if path.name.startswith("~$"):
        raise error_at(COMMAND_LINE, "FROM", "is-lock", name=path.name, open=path.name[2:])
    if path.suffix.lower() not in TABLES:
        raise error_at(COMMAND_LINE, "FROM", "no-table", path=path, names=", ".join(TABLES))
    try:
        return read_bytes(path, str(path), MAX_BYTES[path.suffix.lower()])
    except Unreadable as unreadable:
        raise InvalidSource([unreadable.problem]) from None


def _from_table(
    path: Path,
    sheet: str,
    pictures: Named,
    templates: Path,
    facts: Facts,
    folder: Path,
    *,
    link: bool,
    language: str,
) -> tuple[dict[str, bytes], list[Translated]]:
    from exporter.importer import game_from_tables as by
    from exporter.importer.game_files import (
        BroughtGame,
        written,
    )
    from exporter.loader.picture_matching import Matched
    from exporter.render.own_pictures import are_cut_out

    data = _table(path)
    words = by.known_headings(templates)
    sheets, others = by.card_sheets(path, data, sheet, words)
    relative = f"cards/{_safe(path)}"
    kinds = by.shaped_kinds(sheets, relative, _reserved())
    art: dict[str, bytes] = {}
    matched, back = Matched({}, (), ()), ""
    if pictures:
        found = by.read_pictures(Path(pictures))
        kinds, matched, back = by.with_art(kinds, list(found))
        names = {f"pictures/{new}": found[old] for old, new in matched.files.items()}
        if back:
            names[f"pictures/{PurePosixPath(back).name}"] = found[back]
        art = by.picture_bytes(names)
        if are_cut_out(art):
            kinds = [replace(kind, art_is_cut_out=kind.has_art) for kind in kinds]
    if link:
        kinds = [replace(kind, linked=True) for kind in kinds]
    brought = BroughtGame(
        kinds=tuple(kinds),
        files={relative: data},
        pictures=art,
        back=back,
        said=(),
        looks={kind.id: next(kind.looks()) for kind in kinds},
        marks={mark: _bracketed(mark) for mark in _marks_in(kinds)},
    )
    brought = _that_fits(brought, templates, facts, language)
    said: list[Translated] = []
    if others:
        left = listed([repr(name) for name in others])
        said.append(sentence("brought", "other-sheets", file=path.name, names=left))
    if doubled := tuple(doubled_said(sheets)):
        alone = sentence("brought", "one-sheet", file=path.name, sheet=sheets[0].cells.sheet)
        said.append(Joined((*doubled, alone), "\n  "))
    said += [kind_said(kind, brought.looks[kind.id]) for kind in brought.kinds]
    if brought.marks:
        said.append(sentence("brought", "marks", names=listed(list(brought.marks))))
    if pictures:
        said.append(pictures_said(matched, back))
    files = written(brought, templates, facts, language)
    if link:
        from exporter.core.file_writer import write_whole
        from exporter.loader.table_links import links_with

        write_whole(dict([links_with(folder, relative, path)]))
        said.append(sentence("brought", "master-linked", path=path))
    else:
        said.append(sentence("brought", "master-copied", path=folder / relative))
    return files, said


def _safe(path: Path) -> str:
    """A table's name as a file of the game."""
    from exporter.loader.card_tables import id_of

    return f"{id_of(path.stem) or 'cards'}{path.suffix.lower()}"


def _reserved() -> list[str]:
    """The names that the template of plain cards takes itself."""
    from exporter.loader.style_files import plain_styles

    declaration = plain_styles()["card"].declaration
    return list(declaration.takes) if declaration else []


def _that_fits(brought: BroughtGame, templates: Path, facts: Facts, language: str) -> BroughtGame:
    """What was brought with looks in which every text fits, and marks for signs without a font."""
    blank = {name: _blank(name) for name in brought.pictures}

    def over(brought: BroughtGame) -> tuple[set[str], str]:
        from exporter.importer.game_files import written

        bare = replace(brought, pictures=blank)
        return _tried(written(bare, templates, facts, language), facts.id)

    tries = {kind.id: list(kind.looks()) for kind in brought.kinds}
    while True:
        full, signs = over(brought)
        letters = [sign for sign in signs if sign.isalpha()]
        if len(letters) > 8:  # a script, which no marks replace
            some = " ".join(letters[:8])
            raise error_at(COMMAND_LINE, "FROM", "no-letters", count=len(letters), names=some)
        more = {sign: _reads(sign) for sign in signs if sign not in brought.marks}
        if more:
            brought = replace(brought, marks={**brought.marks, **more})
            continue
        changed = {}
        for key in full:
            if len(tries[key]) > 1:
                tries[key].pop(0)
                changed[key] = tries[key][0]
        if not changed:
            return brought
        brought = replace(brought, looks={**brought.looks, **changed})


def _blank(name: str) -> bytes:
    """A picture of nothing in the place of one: where a text stands does not depend on it."""
    import io

    from PIL import Image

    if name.endswith(".svg"):
        return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    stream = io.BytesIO()
    form = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP"}.get(name.rpartition(".")[2], "PNG")
    Image.new("L", (2, 2)).save(stream, form)
    return stream.getvalue()


def _marks_in(kinds: Iterable[BroughtKind]) -> list[str]:
    """Words in brackets in cells: the game is to say how they read."""
    from exporter.faces.face_texts import with_readings
    from exporter.faces.style_values import (
        MARK,
        is_letter,
    )

    cells = (text for kind in kinds for column in kind.sheet.columns for text in column.values)
    texts = (with_readings(text, ()) for text in cells)
    found = dict.fromkeys(mark for text in texts if "[" in text for mark in MARK.findall(text))
    return [mark for mark in found if not is_letter(mark)]


def _reads(sign: str) -> str:
    """How a sign reads that no font has: the first word of its name."""
    import unicodedata

    name = unicodedata.name(sign, "").lower().split()
    return _bracketed(name[0] if name else "?")


def _bracketed(word: str) -> str:
    """A word in the brackets of its script: those of Japanese part Latin words too far."""
    return f"({word})" if word.isascii() else f"〔{word}〕"


def _tried(files: Mapping[str, bytes], name: str) -> tuple[set[str], str]:
    """The kinds with a text that does not fit, and signs that no font has.

    Raises ``InvalidSource`` where the game cannot be read.
    """
    from exporter.app.project import open_to_make
    from exporter.core.cache import cache_folder
    from exporter.core.shipped_files import template_folders
    from exporter.core.temporary import live_folder
    from exporter.faces.card_faces import card_front
    from exporter.model import DeckCard
    from exporter.render.glyphs import uncovered
    from exporter.render.render_jobs import find_render_jobs
    from exporter.render.typecheck import check_faces

    with live_folder() as temporary:
        for file, data in files.items():
            path = temporary / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        game = open_to_make(temporary / name).game
        entries = (DeckCard(card=card) for card in game.cards.values())
        faces = [card_front(game, entry) for entry in entries]
        wanted = find_render_jobs(
            faces, template_folders("faces"), temporary / name, cache_folder()
        )
        signs = uncovered((face.values for face in faces), wanted.covered)
        if signs:
            return set(), signs
        problems = check_faces(wanted, ()).problems
    places = {problem.where for problem in problems if problem.rule == "FACE-OVERFLOW"}
    return {card.kind for card in game.cards.values() if card.where in places}, ""


def _from_pictures(
    folder: Path, templates: Path, facts: Facts, language: str
) -> tuple[dict[str, bytes], list[Translated]]:
    """The files of a game of finished faces."""
    import csv
    import io

    from exporter.importer import game_from_tables as by
    from exporter.importer.game_files import (
        BroughtGame,
        written,
    )
    from exporter.importer.kinds_from_sheets import Look
    from exporter.importer.sheet_layout import (
        Cells,
        looked_at,
    )
    from exporter.render.own_pictures import pixel_size

    paths = by.read_pictures(folder)
    cards, files, back = by.finished_game(folder, paths)
    if not cards:
        raise error_at(SourceLocation(str(folder)), "FROM", "only-back", path=folder)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([("name", "copies"), *cards])
    data = stream.getvalue().encode("utf-8-sig")
    rows = [(1, ("name", "copies"))]
    rows += [(number, (name, str(count))) for number, (name, count) in enumerate(cards, 2)]
    sheet = looked_at(Cells("cards.csv", "", rows), by.known_headings(templates))
    assert sheet is not None
    (kind,) = by.shaped_kinds([sheet], "cards/cards.csv", _reserved())
    pictures = by.picture_bytes(files)
    width, height = pixel_size(next(iter(pictures.values())))
    size = (
        (63.0, round(63 * height / width, 1))
        if height >= width
        else (88.0, round(88 * height / width, 1))
    )
    brought = BroughtGame(
        kinds=(kind,),
        files={"cards/cards.csv": data},
        pictures=pictures,
        back="",
        said=(),
        looks={kind.id: Look(size)},
        marks={},
    )
    total = sum(count for _name, count in cards)
    finished = (
        sentence("brought", "finished", count=len(cards), total=total),
        sentence("brought", "back-is" if back else "back-drawn", back=back),
        sentence("brought", "finished-names"),
    )
    return written(brought, templates, facts, language), [Joined(finished, "\n  ")]


def pull(
    game: str, *, accept: bool = False, source: Named | None = None, seconds: float = 0
) -> tuple[Translated, ...]:
    """Fetch every table of a game that has an ``address`` into its file; what changed by it.

    A table that came shorter than announced, or without more than half of its cards, is refused
    unless you ``accept`` it. The table before stays beside the new one.

    Raises ``InvalidSource``; then nothing was written.
    """
    from exporter.core.file_writer import write_whole
    from exporter.core.shipped_files import shipped
    from exporter.importer.fetch_table import (
        SECONDS,
        fetched,
    )
    from exporter.importer.reimport import (
        Again,
        brought_again,
    )
    from exporter.loader import read_game

    folder = folder_of(game, source)
    kinds = [kind for kind in read_game(folder).kinds.values() if kind.address]
    if not kinds:
        raise error_at(COMMAND_LINE, "FROM", "no-address", game=game)
    for kind in kinds:
        if not kind.file.lower().endswith(".csv"):
            raise error_at(COMMAND_LINE, "FROM", "no-pull-csv", file=kind.file)
    tables = {kind.file: fetched(kind.address, seconds or SECONDS, accept=accept) for kind in kinds}

    def brought(file: str) -> Again:
        found = brought_again(folder, folder / file, tables[file], "", shipped("templates") / "new")
        if found.gone * 2 > found.cards and not accept:
            words = {"file": file, "count": found.gone, "total": found.cards}
            raise error_at(COMMAND_LINE, "FROM", "half-gone", **words)
        return found

    for file in tables:  # nothing is written before all can be
        brought(file)
    said: list[Translated] = []
    for file, data in tables.items():
        path, found = folder / file, brought(file)
        before = path.read_bytes()
        files = {folder / name: each for name, each in found.files.items()}
        lines = list(found.said)
        if before != data:
            kept = f"{file}.before"
            files = {folder / kept: before, **files}
            lines.append(sentence("again", "before", file=kept))
        write_whole(files)
        said += [Joined((file, line), ": ") for line in lines]
    return tuple(said)
