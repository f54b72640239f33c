"""What is told of a mech in words, its pilots and their skills above all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exporter.faces.face_texts import (
    fill_parts,
    plain,
)
from exporter.model import (
    Card,
    Game,
    Item,
    Loadout,
    Pilot,
)
from exporter.model.tabletop import (
    Data,
    group,
    note,
)


def pilots_of(game: Game, loadout: Loadout) -> Iterator[tuple[Pilot, Card]]:
    """Each pilot with each of their skills."""
    for pilot in loadout.build.pilots:
        for name in pilot.skills:
            card = game.card(name)
            if card is not None:
                yield pilot, card


def pilots_of_all(game: Game, loadouts: Iterable[Loadout]) -> list[tuple[Pilot, Card]]:
    """The same of several loadouts: who sits in more than one of them is there once."""
    found = [each for loadout in loadouts for each in pilots_of(game, loadout)]
    return list({(pilot.name, card.id): (pilot, card) for pilot, card in found}.values())


def crew_detail(game: Game, loadout: Loadout) -> Iterator[Data[Any]]:
    """What the sheet of a mech says of its pilots; nothing where they have no skills."""
    lines: dict[str, list[str]] = {}
    for pilot, card in pilots_of(game, loadout):
        said = (
            plain(card.text(name), game.marks) for name in game.kinds[card.kind].detail.values()
        )
        line = f"{plain(card.name, game.marks)}：{'／'.join(filter(None, said))}"
        lines.setdefault(pilot.name, []).append(line)
    if lines:
        yield group("パイロット", *(note(name, "\n".join(each)) for name, each in lines.items()))


def mech_detail(game: Game, loadout: Loadout) -> Iterator[Data[Any]]:
    """What the sheet of a mech says: what is mounted where, its pilots, what it is like."""
    lines = []
    for part in game.parts:
        cards = [game.card(name) for name in loadout.build.mounted.get(part, ())]
        shown = "、".join(plain(card.name, game.marks) for card in cards if card)
        lines.append(f"{part}：{shown}")
    yield group("搭載", note("部位", "\n".join(lines)))
    yield from crew_detail(game, loadout)
    if loadout.text:
        yield group("機体", note("特徴", plain(loadout.text, game.marks)))


def skill_lines(
    game: Game, item: Item, loadouts: Iterable[Loadout], names: Mapping[str, str]
) -> Iterator[str]:
    """The lines of a palette for the skills of a mech's pilots."""
    for pilot, card in pilots_of_all(game, loadouts):
        fields = ("id", "name", *card.fields)
        of_card = {name: plain(card.text(name), game.marks) for name in fields}
        yield fill_parts(item.skill_lines, {**names, **of_card, "pilot": pilot.name}, item.where)
