"""Which picture of a folder shows which card, by the names of both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from exporter.faces.face_texts import folded

BACKS = frozenset(
    map(folded, ("back", "backs", "card back", "ura", "裏", "裏面", "カード裏", "背面"))
)
"""Names of pictures that are the back of all cards."""

_TIMES = re.compile(
    r"[\s_]*(?:[x×＊*][\s_]*([0-9]{1,2})|[（(]([0-9]{1,2})(?:枚)?[）)]|([0-9]{1,2})枚)$"
)

_PARTS = re.compile(r"[\s_\-.()（）【】［］\[\]]+")

_AGAIN = re.compile(r"\s*[(（][0-9]+[)）]\s*$|\s*-\s*(?:copy|コピー)\s*$", re.IGNORECASE)
"""What systems add to the name of a file that is there already."""

_BEGIN = re.compile(r".+?[_\- ]")


class Matched(Struct, frozen=True):
    """File → name it gets in the game; the names that no file has; files that show no card."""

    files: Mapping[str, str]
    missing: tuple[str, ...]
    others: tuple[str, ...]


def stem_of(path: str) -> str:
    """Return the name of a file without its folders and its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def matched(cards: Iterable[tuple[str, str, str]], files: Sequence[str]) -> Matched:
    """Return the pictures of cards, each by what its table names, or else by its id or its name.

    Names may lack their endings, or what all files begin with; a picture of a card's id or name
    may say more (``猫又_完成.png``). It gets the id, so that a card which is renamed keeps it.
    """
    wanted = list(dict.fromkeys(cards))
    has_column = any(cell for cell, _id, _name in wanted)
    words = [word for cell, *own in wanted for word in ([cell] if cell else own) if word]
    whole = {file: stem_of(file) for file in files}
    stems, found = whole, _direct(words, whole)
    for begin in _beginnings(whole.values()) if len(found) * 2 < len(wanted) else ():
        short = {file: stem.removeprefix(begin) for file, stem in whole.items()}
        without = _direct(words, short)
        if len(without) > len(found):
            found, stems = without, short
    parts = _by_parts({file: stem for file, stem in stems.items() if file not in found.values()})
    named: dict[str, str] = {}
    missing = []
    for cell, key, name in wanted:
        own = [cell] if cell else [key, name]
        known = [found[word] for word in own if word in found]
        known += [] if cell else [parts[word] for word in map(folded, own) if word in parts]
        if not known and (cell or not has_column):
            missing.append(cell or name)
        for file in known[:1]:
            is_called_so = cell or folded(stems[file]) == folded(key)
            stem = stems[file] if is_called_so else key
            named.setdefault(file, f"{stem}.{file.rpartition('.')[2].lower()}")
    others = tuple(file for file in files if file not in named)
    return Matched(named, tuple(dict.fromkeys(missing)), others)


def _by_parts(stems: Mapping[str, str]) -> dict[str, str]:
    """Return part of a name, or all but the first one, folded → the one file that has it."""
    found: dict[str, set[str]] = {}
    for file, whole in stems.items():
        stem = _AGAIN.sub("", whole)
        for part in (*_PARTS.split(stem), _PARTS.sub(" ", stem, count=1).partition(" ")[2]):
            if part:
                found.setdefault(folded(part), set()).add(file)
    return {part: min(files) for part, files in found.items() if len(files) == 1}


def _beginnings(stems: Iterable[str]) -> list[str]:
    """Return what many names begin with, up to a sign that parts words: ``art_``."""
    begins = Counter(match[0] for stem in stems if (match := _BEGIN.match(stem)))
    return [begin for begin, count in begins.most_common(3) if count > 1]


def _direct(names: Iterable[str], stems: Mapping[str, str]) -> dict[str, str]:
    """Return name → file, where the two are the same but for width, case, kana and what parts
    words."""
    files = {folded(stem): file for file, stem in reversed(list(stems.items()))}
    found = {}
    for name in names:
        last = name.replace("\\", "/").rpartition("/")[2]
        for word in (folded(last), folded(stem_of(last))):
            if word in files:
                found[name] = files[word]
                break
    return found


def counted(stem: str) -> tuple[str, int]:
    """Return a finished face's name and number, of ``slime x3`` or ``スライム（3枚）``."""
    times = _TIMES.search(stem)
    if times is None:
        return stem.strip(), 1
    count = next(int(each) for each in times.groups() if each)
    return stem[: times.start()].strip(), max(1, count)
