"""Which picture of a folder shows which card, by the names of both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from exporter.texts import folded

BACKS = frozenset(
    map(folded, ("back", "backs", "card back", "ura", "裏", "裏面", "カード裏", "背面"))
)
"""Names of pictures that are the back of all cards."""

_TIMES = re.compile(
    r"[\s_]*(?:[x×＊*][\s_]*([0-9]{1,2})|[（(]([0-9]{1,2})(?:枚)?[）)]|([0-9]{1,2})枚)$"
)

_BEGIN = re.compile(r".+?[_\- ]")


class Matched(Struct, frozen=True):
    """File → name it gets in the game; the names that no file has; files that show no card."""

    files: Mapping[str, str]
    missing: tuple[str, ...]
    others: tuple[str, ...]


def stem_of(path: str) -> str:
    """The name of a file without its folders and its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def matched(names: Iterable[str], files: Sequence[str]) -> Matched:
    """The pictures of ``names``, which may lack their endings, or what all files begin with."""
    wanted = list(dict.fromkeys(name for name in names if name))
    stems = {file: stem_of(file) for file in files}
    found = _direct(wanted, stems)
    whole = stems
    for begin in _beginnings(whole.values()) if len(found) * 2 < len(wanted) else ():
        short = {file: stem.removeprefix(begin) for file, stem in whole.items()}
        without = _direct(wanted, short)
        if len(without) > len(found):
            found, stems = without, short
    files_named = {
        file: f"{stems[file]}.{file.rpartition('.')[2].lower()}" for file in found.values()
    }
    missing = tuple(name for name in wanted if name not in found)
    others = tuple(file for file in files if file not in files_named)
    return Matched(files_named, missing, others)


def _beginnings(stems: Iterable[str]) -> list[str]:
    """What many names begin with, up to a sign that parts words: ``art_``."""
    begins = Counter(match[0] for stem in stems if (match := _BEGIN.match(stem)))
    return [begin for begin, count in begins.most_common(3) if count > 1]


def _direct(names: Iterable[str], stems: Mapping[str, str]) -> dict[str, str]:
    """Name → file, where the two are the same but for width, case, kana and what parts words."""
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
    """A finished face's name and how many there are, of ``slime x3`` or ``スライム（3枚）``."""
    times = _TIMES.search(stem)
    if times is None:
        return stem.strip(), 1
    count = next(int(each) for each in times.groups() if each)
    return stem[: times.start()].strip(), max(1, count)
