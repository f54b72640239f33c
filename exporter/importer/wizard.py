"""A game from what somebody has: a table of cards and pictures, or finished faces.

Tables become sheets whose headings are understood (``card_sheets``, ``column_roles``), these kinds
of cards with their pictures and these a game's files (``card_kinds``), which are tried out until
their texts fit and written; what was taken for what stands in a report.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from exporter.app.games import NameOrPath, open_to_make
from exporter.core.cache import cache_folder
from exporter.core.file_writer import live_folder, write_below, write_whole
from exporter.core.messages import (
    JAPANESE,
    Joined,
    Sentence,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    SourceLocation,
    error_at,
    stop_for,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import card_back, card_front
from exporter.faces.face_texts import with_readings
from exporter.faces.icons import ICON, find_icon, search_icons
from exporter.faces.style_values import (
    MARK,
    is_letter,
)
from exporter.importer import PLAYERS
from exporter.importer.card_sheets import (
    SORTS,
    CardSheet,
    card_sheets,
    read_table_bytes,
)
from exporter.importer.column_roles import FILE, ems, known_headings
from exporter.importer.kinds_from_sheets import (
    POKER,
    SMALL_SIZES,
    CardKind,
    GameParts,
    GuessedLook,
    card_kinds,
    family_of,
    find_back,
    find_pictures,
    finished_cards,
    game_files,
    match_pictures,
    plain_title,
    read_picture_files,
    with_icons,
    with_numerals,
)
from exporter.importer.newer_table import find_changes, first_few
from exporter.importer.starter import (
    Facts,
    NewGame,
    check_new,
    check_player_range,
    write_game,
)
from exporter.loader.card_tables import id_of
from exporter.loader.game_reader import read_game
from exporter.loader.picture_files import (
    PICTURE_TYPES,
    Matched,
)
from exporter.loader.spreadsheets import Parts, has_bold_words
from exporter.model import Card, DeckCard, Game
from exporter.model.fields import DASHES
from exporter.render.own_pictures import (
    are_cut_out,
    blank,
    check_picture,
    pixel_size,
)
from exporter.render.painter import face_problems, prepare_render_job
from exporter.render.template_files import uncovered

# Endings of pictures that games do not have.
_UNREAD = (".tif", ".tiff", ".psd", ".gif", ".bmp", ".heic", ".ai", ".pdf")

# Names of files that are no names of games.
_SAY_NOTHING = {
    *("book", "card", "cards", "csv", "data", "deck", "decks", "export", "list", "master"),
    *("sheet", "table", "カード", "カードリスト", "カード一覧", "デッキ", "データ", "シート", "表"),
    *("一覧", "名称未設定", "マスター"),
}  # fmt: skip


def game_from(
    name: str,
    what: str | Sequence[str],
    out: NameOrPath = "source_data",
    *,
    pictures: NameOrPath = "",
    ja: str = "",
    en: str = "",
    players: tuple[int, int] | None = None,
    board: str = "none",
    language: str = "ja",
) -> NewGame:
    """Write ``out/<name>`` from a table, ``deck.xlsx`` or ``deck.xlsx#sheet``, from several, or
    from a folder of finished faces; what was taken for what stands in its ``report``.

    Where the game is there already, only its tables and pictures are replaced, and the ``report``
    is what changed. ``pictures`` is a folder of art. Raises ``InvalidSource``, and ``ValueError``
    for numbers of players that no new game has.
    """
    check_player_range(players)
    folder = Path(out) / name
    tables = list(map(_path_and_sheet, [what] if isinstance(what, str) else what))
    path = tables[0][0]
    is_folder = len(tables) == 1 and path.is_dir()
    if (folder / "game.yaml").is_file() and not is_folder:
        return _with_newer_tables(folder, tables, pictures)
    title = plain_title(Path(os.path.abspath(path)).stem)
    title = "" if title.lower().strip(" _-0123456789") in _SAY_NOTHING else title
    facts = Facts(name, ja or title or name, en or title or name, players or PLAYERS, board)
    check_new(folder, name, (facts.ja, facts.en))
    if is_folder:
        parts, report = _finished_faces(path)
        return write_game(folder, game_files(facts, parts, language), language, report)
    facts, parts, report = _cards(tables, pictures, facts, language)
    for relative in parts.table:
        report.append(sentence("import", "master-copied", path=folder / relative))
    made = write_game(folder, game_files(facts, parts, language), language, report)
    said = ("merged", "pictures-missing")
    notices = (each for each in read_game(folder).notices if each.sentence.key not in said)
    return replace(made, report=(*made.report, *notices))


def _path_and_sheet(what: str) -> tuple[Path, str]:
    file, _, sheet = what.partition("#") if not os.path.exists(what) else (what, "", "")
    return Path(file), sheet


def _cards(
    tables: Sequence[tuple[Path, str]], pictures: NameOrPath, facts: Facts, language: str
) -> tuple[Facts, GameParts, list[Translated]]:
    """Make the parts of a game of tables and a folder of art. Raises ``InvalidSource``."""
    report: list[Translated] = []
    data: dict[str, bytes] = {}
    sheets: dict[str, list[CardSheet]] = {}
    copied: dict[Path, str] = {}
    for path, sheet in tables:
        stem, ending = id_of(path.stem) or "cards", path.suffix.lower()
        again = f"_{len(data) + 1}" if f"cards/{stem}{ending}" in data else ""
        relative = copied.setdefault(path, f"cards/{stem}{again}{ending}")
        data[relative] = read_table_bytes(path)
        found, others = card_sheets(path, data[relative], sheet, known_headings())
        sheets[relative] = [*sheets.get(relative, ()), *found]
        if ending == ".xlsx" and has_bold_words(Parts(data[relative], path.name)):
            report.append(sentence("import", "bold-words", file=path.name))
        for key, is_hidden in (("other-sheets", False), ("hidden-sheets", True)):
            if names := [repr(each.sheet) for each in others if each.hidden == is_hidden]:
                report.append(sentence("import", key, file=path.name, names=first_few(names)))
    every = [sheet for some in sheets.values() for sheet in some]
    cells = (cell for sheet in every for each in sheet.columns for cell in each.values)
    facts = replace(facts, in_ja=any(JAPANESE.search(cell) for cell in cells))
    lone = (facts.ja if facts.in_ja else facts.en) if len(every) == 1 else ""
    kinds = card_kinds(sheets, lone)
    art: dict[str, bytes] = {}
    art_lines: list[Translated] = []
    back = ""
    if pictures:
        there = find_pictures(Path(pictures))
        back = find_back(there)
        kinds, matched = match_pictures(kinds, [file for file in there if file != back])
        files = {**matched.files, **({back: PurePosixPath(back).name} if back else {})}
        art = read_picture_files({f"pictures/{new}": there[old] for old, new in files.items()})
        if are_cut_out(art):
            kinds = [replace(kind, art_is_cut_out=kind.has_art) for kind in kinds]
        art_lines.append(picture_lines(matched, back))
        every_file = sorted(Path(pictures).rglob("*"))
        unread = [path.name for path in every_file if path.suffix.lower() in _UNREAD]
        if unread:
            art_lines.append(
                sentence(
                    "import", "no-format", names=first_few(unread), types=", ".join(PICTURE_TYPES)
                )
            )
    else:
        art_lines.append(sentence("import", "no-pictures"))
    if facts.board != "none":
        art_lines.append(sentence("import", "sample-board"))
    kinds = with_numerals([*map(with_icons, kinds)])
    parts = fit_texts(GameParts(tuple(kinds), data, art, back), facts, language)
    report += [kind_lines(kind) for kind in parts.kinds]
    report.append(sentence("import", "family", family=family_of(parts.kinds)))
    # Icons first, then words in brackets that stay as they are.
    marks = sorted(parts.marks.items(), key=lambda each: each[1] == f"[{each[0]}]")
    if icons := [f"{sign} → {as_}" for sign, as_ in marks]:
        report.append(sentence("import", "marks", names=first_few(icons)))
    return facts, parts, [*report, *art_lines]


def _finished_faces(folder: Path) -> tuple[GameParts, list[Translated]]:
    """Make the parts of a game of finished faces. Raises ``InvalidSource``."""
    data, files, back = finished_cards(find_pictures(folder))
    if len(files) == bool(back):
        raise error_at(SourceLocation(str(folder)), "FROM", "only-back", path=folder)
    pictures = read_picture_files(files)
    stop_for(
        problem
        for name, picture in pictures.items()
        for problem in check_picture(picture, None, str(files[name]), whole=False, larger=True)
    )
    sheets, _others = card_sheets(Path("cards.csv"), data, "", known_headings())
    (kind,) = card_kinds({"cards/cards.csv": sheets})
    width, height = pixel_size(next(iter(pictures.values())))
    side = min(POKER) if height >= width else max(POKER)
    kind = replace(kind, look=GuessedLook((side, round(side * height / width, 1))))
    copies = kind.column("copies")
    total = sum(map(int, copies.values)) if copies else len(kind.ids)
    lines = (
        sentence("import", "finished", count=len(kind.ids), total=total),
        sentence("import", "back-is" if back else "back-drawn", back=back),
        sentence("import", "finished-names"),
    )
    return GameParts((kind,), {"cards/cards.csv": data}, pictures), [Joined(lines, "\n  ")]


def _with_newer_tables(
    folder: Path, tables: Sequence[tuple[Path, str]], pictures: NameOrPath
) -> NewGame:
    """Replace tables and pictures of a game. Raises ``InvalidSource``."""
    names: set[str] = set()
    report: list[Translated] = []
    for path, sheet in tables:
        found = find_changes(folder, path, read_table_bytes(path), os.fspath(pictures), sheet)
        written = write_whole({folder / name: data for name, data in found.files.items()})
        names |= {str(each.relative_to(folder)) for each in written.new}
        report += found.report
    return NewGame(folder, tuple(sorted(names)), folder.parent / "schemas", tuple(report))


# Roles that are listed together.
_IN_DETAIL = ("power", "note", "figure", "more")

# Why columns that may be shown are not.
_AUTHORS = ("own", "out-of-sight")

# Roles that are no part of a card's front and yet are of use.
_ALWAYS_LISTED = ("copies", "id", "deck", "back")


def kind_lines(kind: CardKind) -> Translated:
    """Tell what a kind was made of, and below it what its columns were taken for."""
    sheet = f"#{kind.sheet.name}" if kind.sheet.name else ""
    made = {"kind": kind.id, "count": len(kind.ids), "file": f"{kind.sheet.file}{sheet}"}
    first = sentence("import", "kind", **made)
    for heading, word in kind.only.items():
        first = sentence("import", "kind-of-rows", **made, heading=heading, word=word)
    return Joined((first, *_columns(kind), *_rows(kind)), "\n  ")


def _columns(kind: CardKind) -> Iterator[Sentence]:
    """Tell where each column stands on a card, and how large that has to be."""
    if kind.sheet.heading > 1:
        yield sentence("import", "heading-row", row=kind.sheet.heading)
    shown = {*kind.shown, "name"}
    together: dict[str, list[str]] = {"figures": [], "on-back": []}
    for column in kind.columns:
        is_shown = column.field in shown
        if column.role == "name" and kind.sheet.named_by:
            yield sentence("import", "named-by", headings=" + ".join(kind.sheet.named_by))
        elif column.role == "art" and not kind.has_art:
            yield sentence("import", "art-not-given", heading=column.heading)
        elif column.role not in _IN_DETAIL and (is_shown or column.role in _ALWAYS_LISTED):
            role = sentence("column-role", column.role)
            yield sentence("import", "column", heading=column.heading, role=role)
        else:
            on_back = column.field in kind.back_shown and column.back is not None
            detail = "token-detail" if kind.is_tokens else "detail"
            key = "on-back" if on_back else "figures" if is_shown else detail
            together.setdefault(key, []).append(column.heading)
    for key, headings in together.items():
        if headings:
            yield sentence("import", key, headings=", ".join(headings), first=headings[0])
    width, height = (f"{side:g}" for side in kind.look.size)
    if not kind.look.text_shown:
        yield sentence("import", "text-in-detail")
    elif kind.look.size != (SMALL_SIZES[0] if kind.is_small else POKER):
        texts = [c.values for c in kind.columns if {c.role, c.back} & {"text", "further"}]
        lengths = [sum(map(len, cells)) for cells in zip(*texts, strict=True)]
        yield sentence(
            "import",
            "large-cards",
            name=kind.names[lengths.index(max(lengths))],
            width=width,
            height=height,
        )


def _rows(kind: CardKind) -> Iterator[Translated]:
    """Tell what is not read, and what was made up."""
    ignored = kind.sheet.ignored
    unread = [
        sentence("unread", why, heading=name, cell=cell)
        for name, why, cell in ignored
        if why not in _AUTHORS
    ]
    if bare_backs := kind.without_backs:
        yield sentence(
            "import",
            "one-sided",
            count=len(kind.names) - len(bare_backs),
            names=first_few(bare_backs),
        )
    if kind.sheet.one_row:
        yield sentence("import", "two-rows", row=kind.sheet.heading, heading=kind.sheet.one_row)
    bare = [each for each in kind.sheet.bare if each[1] in kind.names]
    merged = [each for each in kind.sheet.merged if each not in kind.sheet.repeats]
    some: Mapping[str, Sequence[str | Translated]] = {
        "not-read": unread,
        **{each: [name for name, why, _cell in ignored if why == each] for each in _AUTHORS},
        "no-cards": [*filter(None, kind.sheet.no_cards), *_with_lines(kind.sheet.nameless)],
        "bare-rows": _with_lines(bare),
        "repeats": kind.sheet.repeats,
        "merged": merged,
        "blanks": [
            f"{each.heading} ({blank})"
            for each in kind.columns
            if each.role in SORTS and (blank := len(each.values) - len(each.filled))
        ],
        "no-copies": kind.without_copies,
        "dashes": [
            each.heading for each in kind.figures if any(cell in DASHES for cell in each.filled)
        ],
    }
    for key, names in some.items():
        if names:
            yield sentence("import", key, names=first_few(names), first=names[0])
    if kind.ids_file:
        yield sentence("import", "made-ids", kind=kind.id)


def _with_lines(rows: Iterable[tuple[int, str]]) -> list[Sentence]:
    return [sentence("import", "bare-row", row=row, name=name) for row, name in rows]


def picture_lines(found: Matched, back: str) -> Translated:
    """Tell how many pictures were taken, and below it what lacks one and what shows no card."""
    key = "pictures-and-back" if back else "pictures"
    lines = [sentence("import", key, count=len(found.files), back=back)]
    if found.missing:
        cards_first = sorted(found.missing, key=lambda name: FILE.fullmatch(name) is not None)
        lines.append(sentence("import", "without-picture", names=first_few(cards_first, 24)))
    if found.others:
        lines.append(sentence("import", "left-out", names=first_few(found.others)))
    return Joined(tuple(lines), "\n  ")


# Cards of a kind that are all tried out; and ems of a line that is not full.
_TRIED, _LINE = 200, 20

# Letters without a font that marks may stand for; more are a script.
_FEW = 8


def fit_texts(parts: GameParts, facts: Facts, language: str) -> GameParts:
    """Choose looks in which every text fits, and marks for what no font has or what is in brackets.

    Raises ``InvalidSource`` where the game cannot be read, and for a script that no font has.
    """
    looks = {kind.id: kind.looks() for kind in parts.kinds}
    kinds = [replace(kind, look=next(looks[kind.id])) for kind in parts.kinds]
    headings = {each.heading.strip("[]") for kind in kinds for each in kind.sheet.columns}
    marks = {one: _reading(one, in_heading=one in headings) for one in _marks_in(kinds)}
    parts = replace(parts, kinds=tuple(kinds), marks=marks)
    blanks = {name: blank(name) for name in parts.pictures}
    letters: list[str] = []  # that no font has: `build` tells where they stand
    while True:
        files = game_files(facts, replace(parts, pictures=blanks), language)
        full, signs = _try_faces(files, facts.id, letters)
        letters += [sign for sign in signs if sign.isalpha()]
        if len(letters) > _FEW:
            raise error_at(
                COMMAND_LINE,
                "FROM",
                "no-letters",
                count=len(letters),
                names=" ".join(letters[:_FEW]),
            )
        if signs:
            more = {sign: _name(sign) for sign in signs if sign not in letters}
            parts = replace(parts, marks={**parts.marks, **more})
            continue
        larger = {key: look for key in full if (look := next(looks[key], None))}
        if not larger:
            return parts
        kinds = [replace(kind, look=larger.get(kind.id, kind.look)) for kind in parts.kinds]
        parts = replace(parts, kinds=tuple(kinds))


_SIGNS = re.compile(r"[\[{:]")

# Words in braces or between colons stand for icons too.
_OTHER_MARKS = re.compile(r"\{[^{}|#\s]{1,20}\}|(?<![\w:]):[A-Za-z][\w-]{1,18}:(?!\w)")


def _marks_in(kinds: Sequence[CardKind]) -> list[str]:
    """Find words in brackets in cells: the game is to say how they read."""
    columns = [each for kind in kinds for each in kind.sheet.columns]
    cells = (text for each in columns for text in (each.heading, *each.values))
    texts = [with_readings(text, ()) for text in cells if _SIGNS.search(text)]
    found = dict.fromkeys(mark for text in texts for mark in MARK.findall(text))
    signs = dict.fromkeys(sign for text in texts for sign in _OTHER_MARKS.findall(text))
    own = (sign for sign in signs if not ICON.fullmatch(sign))
    return [*(mark for mark in found if not is_letter(mark)), *own]


_SETS = ("rpg", "mdi")

# Icons of words that are called otherwise in the sets.
_OTHERWISE = {
    "moon": "mdi:weather-night", "rain": "mdi:weather-rainy", "snow": "mdi:snowflake",
    "wind": "mdi:weather-windy",
}  # fmt: skip

# Words that stand for icons also in square brackets, in which others are keywords.
_DRAWN = frozenset((
    "armor", "armour", "arrow", "attack", "axe", "bomb", "book", "boot", "bow", "card", "cards",
    "coin", "coins", "crown", "crystal", "dagger", "diamond", "dice", "energy", "eye", "fire",
    "flag", "flask", "food", "gem", "gold", "hammer", "hand", "health", "heart", "hourglass",
    "hp", "iron", "key", "leaf", "life", "lightning", "mana", "money", "moon", "potion", "rain",
    "scroll", "shield", "skull", "snow", "star", "stone", "sun", "sword", "tree", "water", "wheat",
    "wind", "wood",
))  # fmt: skip


def _reading(mark: str, *, in_heading: bool) -> str:
    """Give the icon that a word in braces or between colons names, or such a word in brackets
    again; of words in square brackets few name icons, and others stay as they are written."""
    word = mark.strip("{}:").lower()
    if word == mark.lower() and word not in _DRAWN and not in_heading:
        return f"[{mark}]"
    icons = [_OTHERWISE.get(word, ""), *(f"{each}:{word}" for each in _SETS)]
    alike = sorted(search_icons(word), key=len) if word.isascii() else []
    icons += [one for one in alike if word in one.partition(":")[2].split("-")]
    icon = next(filter(find_icon, icons), "") if len(word) > 2 else ""
    return f"{{{icon}}}" if icon else _in_brackets(mark)


def _name(sign: str) -> str:
    """Give what a sign that no font has stands for: the figures of a fraction, the icon that is
    called like it, or the last word of its name."""
    numerator, bar, denominator = unicodedata.normalize("NFKC", sign).partition("\u2044")
    if bar:
        return f"\u00a0{numerator}/{denominator}"  # apart from a whole number before it
    words = unicodedata.name(sign, "?").lower().split()
    icons = (f"{each}:{word}" for word in ("-".join(words), *reversed(words)) for each in _SETS)
    icon = next(filter(find_icon, icons), "")
    return f"{{{icon}}}" if icon else _in_brackets(words[-1])


def _in_brackets(word: str) -> str:
    """Put a word into the brackets of its script: Japanese ones part Latin words too far."""
    word = word.strip("{}:")
    return f"({word})" if word.isascii() else f"〔{word}〕"


def _widest(game: Game) -> Iterator[Card]:
    """Yield the cards of each kind that say most, of a long table alone these few."""
    for kind in game.kinds.values():
        cards = {card.id: card for card in game.cards_of(kind.id)}
        names = ("name", *kind.front_fields, *kind.back_fields) if len(cards) > _TRIED else ()
        long = {
            card.id: card
            for name in names
            for card in nlargest(20, cards.values(), key=lambda card: _length(card.text(name)))
        }
        yield from (long or cards).values()


def _length(text: str) -> float:
    return ems(text) + _LINE * text.count("\n")


def _try_faces(
    files: Mapping[str, bytes], name: str, without: Sequence[str]
) -> tuple[set[str], list[str]]:
    """Find the kinds with a text that does not fit, or else the signs that no font has.

    Those of ``without`` are known to be in none. Raises ``InvalidSource`` where the game cannot be
    read.
    """
    with live_folder() as temporary:
        write_below(temporary / name, files)
        game = open_to_make(temporary / name).game
        faces = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
        folders = template_folders("faces")
        deck = [DeckCard(card=card) for card in _widest(game)]
        widest = [card_front(game, each) for each in deck]
        widest += {card_back(game, each): None for each in deck}
        jobs = prepare_render_job(widest, folders, temporary / name, cache_folder())
        signs = uncovered((face.values for face in (*faces, *widest)), jobs.covered)
        if more := [sign for sign in signs if sign not in without]:
            return set(), more
        problems = face_problems(jobs, ())
    places = {problem.where for problem in problems if problem.rule == "FACE-OVERFLOW"}
    full = {card.kind for card in game.cards.values() if card.where in places}
    return full | {kind.id for kind in game.kinds.values() if kind.where in places}, []
