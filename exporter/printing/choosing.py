"""What of a game is printed: the decks and mechs, the boxes owned, and whatever is named.

A *kit* is what one side plays with: a deck, and where a mech has it, the sheet and the pawn.
Whoever names a kit, or the box it is in, gets all of it, with the cards that belong to no box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Build, Card, DeckCard, Game, Item, Loadout, Mech
from exporter.model.boards import ROW, board_id
from exporter.model.called import any_meant, meant
from exporter.printing.jobs import SheetJob
from exporter.problems import COMMAND_LINE, Faults, InvalidSource, Problem, nearest, told
from exporter.rooms.area import Area, selected
from exporter.rooms.orders import chosen_loadouts, owned_editions, unowned
from exporter.rules.errata import corrected
from exporter.rules.loadouts import with_decks
from exporter.schema.places import standing


class Choice(Struct, frozen=True, kw_only=True):
    """Which things are printed. Empty fields leave nothing out.

    ``only`` names cards, kinds, decks, mechs, loadouts, boxes, boards. ``builds`` are mechs, by
    ``CODE`` or ``CODE:VARIANT``, and players' own. ``boxes`` are those owned.
    """

    only: tuple[str, ...] = ()
    builds: tuple[str | Build, ...] = ()
    boxes: tuple[str, ...] = ()

    def takes(self, names: Iterable[str]) -> bool:
        """Whether something that goes by these names is to be printed."""
        return not self.only or not set(self.only).isdisjoint(names)


class Kit(Struct, frozen=True, kw_only=True, dict=True):
    """What one side plays with. ``code`` is that of its deck, empty for a player's own build.

    ``variants`` are the loadouts that are printed, the first one in front; empty for all.
    """

    game: Game
    code: str = ""
    build: Build | None = None
    variants: tuple[str, ...] = ()

    @property
    def mech(self) -> Mech | None:
        """The published one whose deck it is, if it is that of any."""
        return self.game.mechs.get(self.code)

    @property
    def has_sheet(self) -> bool:
        """Whether there is a mech that can be played, and not a deck alone."""
        return self.has_own_mech or bool(self.mech and self.mech.loadouts)

    @property
    def has_mech(self) -> bool:
        """Whether its cards are those of a mech or a build."""
        return self.has_own_mech or self.mech is not None

    @property
    def has_own_mech(self) -> bool:
        """Whether it is a player's own build, and not a deck alone."""
        return self.build is not None and self.build.has_parts

    @cached_property
    def sides(self) -> tuple[Loadout, Loadout | None]:
        """The loadout on the front of its sheet, and the one on the back."""
        wish = ":".join([self.code, *self.variants[:1]])
        return chosen_loadouts(self.game, self.build or wish)

    @cached_property
    def deck(self) -> tuple[DeckCard, ...]:
        """Its cards: of a mech those of the loadouts that are printed."""
        if self.build is not None:
            loadout = self.sides[0]
            brought = tuple(entry for cards in loadout.decks.values() for entry in cards)
            return (*loadout.deck, *brought) if self.build.has_parts else brought
        marks = [self.game.variants[name].mark for name in self.variants]
        cards = self.game.deck_cards(self.code)
        return tuple(e for e in cards if not marks or any(mark in e.mark for mark in marks))

    @property
    def name(self) -> str:
        """As people know it."""
        return self.build.name if self.build else self.mech.title if self.mech else self.code

    @property
    def title(self) -> str:
        """Code and name, each once."""
        return " ".join(dict.fromkeys(word for word in (self.code, self.name) if word))

    @property
    def box(self) -> str:
        """The edition of its mech, if it has any."""
        return self.mech.edition if self.mech else ""

    @cached_property
    def names(self) -> frozenset[str]:
        """By which the whole of it is chosen."""
        return frozenset(
            {self.code, self.name, self.mech.name if self.mech else "", self.box} - {""}
        )

    @cached_property
    def variant_names(self) -> dict[str, set[str]]:
        """By which one of its loadouts is chosen."""
        loadouts = self.variants or (self.mech.loadouts if self.mech else ())
        return {name: {f"{self.code}:{name}", f"{self.name}:{name}"} for name in loadouts}

    def card_names(self, entry: DeckCard) -> set[str]:
        """By which one of its cards is chosen."""
        names = set(self.names) | card_names(entry.card)
        for variant, more in self.variant_names.items():
            if self.game.variants[variant].mark in entry.mark:
                names |= more
        if self.box:
            return names
        # The deck of no mech: cards of no box belong to each of those that are in it.
        box = entry.card.text("edition")
        return names | ({box} if box else {each.card.text("edition") for each in self.deck})

    def narrowed(self, choice: Choice) -> Kit | None:
        """With the loadouts alone that are named; itself where it is named; or nothing."""
        if choice.takes(self.names):
            return self
        named = tuple(name for name, words in self.variant_names.items() if choice.takes(words))
        return replace(self, variants=named) if named else None


class Printable(Struct, frozen=True, kw_only=True):
    """A game as printed and with its errata, the kits of the latter, and what is chosen of it."""

    printed: Game
    game: Game
    kits: tuple[Kit, ...]
    choice: Choice
    editions: frozenset[str]

    def of(self, game: Game) -> Printable:
        """The same choice of another layer of the game."""
        return replace(self, game=game, kits=_kits(game, self.choice, self.editions))


def card_names(card: Card) -> set[str]:
    """By which a card is chosen, whatever deck and box it is in."""
    return {card.id, card.name, card.kind, card.text("group")}


def stocked(printed: Game, choice: Choice) -> Printable:
    """What there is to print. ``printed`` is the game without its errata.

    Raises ``InvalidSource`` for boxes and builds that there are not, or that need a box not owned.
    """
    only = tuple(any_meant(printed, word) for word in choice.only)
    boxes = tuple(meant(printed, "edition", box) for box in choice.boxes)
    choice = replace(choice, only=only, boxes=boxes)
    editions = owned_editions(printed, boxes)
    game = with_decks(corrected(printed))
    kits = _kits(game, choice, editions)
    return Printable(
        printed=with_decks(printed), game=game, kits=kits, choice=choice, editions=editions
    )


def _kits(game: Game, choice: Choice, editions: frozenset[str]) -> tuple[Kit, ...]:
    """The kits that can be printed, whatever ``only`` names: decks in their order, then mechs."""
    if not choice.builds:
        codes = dict.fromkeys([*(entry.deck for entry in game.decks), *game.mechs])
        found = (Kit(game=game, code=code) for code in codes)
        return tuple(kit for kit in found if not (choice.boxes and any(_unowned(kit, editions))))
    faults = Faults()
    kits = []
    for wish in choice.builds:
        with faults.gathered():
            kit = _wished(game, wish)
            kits.append(kit)
            if choice.boxes:
                faults.problems += [_not_owned(kit, *found) for found in _unowned(kit, editions)]
    faults.stop_if_any()
    return tuple(kits)


def _wished(game: Game, wish: str | Build) -> Kit:
    if isinstance(wish, Build):
        return Kit(game=game, build=wish)
    loadout, _other = chosen_loadouts(game, wish)
    variants = (loadout.variant.id,) if loadout.variant and ":" in wish else ()
    return Kit(game=game, code=loadout.code, variants=variants)


def _unowned(kit: Kit, editions: frozenset[str]) -> Iterator[tuple[str, str]]:
    return unowned(kit.game, kit.code, kit.deck, editions)


def _not_owned(kit: Kit, name: str, box: str) -> Problem:
    return told(COMMAND_LINE, "BOXES", "plays-box", kit=kit.title, name=name, box=box)


def left_kits(stock: Printable) -> list[Kit]:
    """Those that are left out because their box, or that of one of their cards, is not owned."""
    if stock.choice.builds or not stock.choice.boxes:
        return []
    kept = {kit.code for kit in stock.kits}
    everything = _kits(stock.game, Choice(), frozenset(stock.game.editions))
    printable = (kit for kit in everything if kit.deck or kit.has_sheet)
    return [kit for kit in printable if kit.code not in kept]


def selected_cards(stock: Printable, job: SheetJob) -> list[DeckCard]:
    """The cards that a job selects, of the boxes owned."""
    if job.cards is None:
        return []
    area = Area(game=stock.game, corner=(0, 0), editions=stock.editions)
    return selected(area, Item(lay="cards", cards=job.cards, spot=standing(job.where)))


def job_cards(stock: Printable, job: SheetJob) -> Iterator[tuple[DeckCard, Kit | None, set[str]]]:
    """The cards that a job may lay, of the kits and of those it selects; by which each goes."""
    kits = [kit for kit in stock.kits if job.decks or (kit.build and not kit.has_own_mech)]
    if kits:
        kinds = {job.cards.kind} if job.cards and job.cards.kind and not job.decks else set()
        for kit in kits:
            for entry in kit.deck:
                if not kinds or entry.card.kind in kinds:
                    yield entry, kit, kit.card_names(entry)
    if not stock.choice.builds:
        for entry in selected_cards(stock, job):
            yield entry, None, card_names(entry.card) | {entry.card.text("edition")}


def chosen_cards(stock: Printable, job: SheetJob) -> list[tuple[DeckCard, Kit | None]]:
    """The cards that a job lays."""
    choice = stock.choice
    return [(entry, kit) for entry, kit, names in job_cards(stock, job) if choice.takes(names)]


def chosen_kits(stock: Printable, *, with_sheet: bool) -> list[Kit]:
    """The kits that are chosen, those that have a sheet or those that have cards."""
    narrowed = (kit.narrowed(stock.choice) for kit in stock.kits)
    return [kit for kit in narrowed if kit and (kit.has_sheet if with_sheet else kit.deck)]


def boards_of(game: Game, job: SheetJob) -> tuple[tuple[str, ...], ...]:
    """The boards of a job, each by its parts; by default all of the game, one by one."""
    return job.boards or tuple((name,) for name in game.boards)


def board_names(parts: Sequence[str]) -> set[str]:
    """By which a board is chosen: as a whole, or by a part."""
    whole = "+".join(parts).replace(f"+{ROW}", ROW)
    return {whole, *parts, *map(board_id, parts)}


def _names_on(stock: Printable, job: SheetJob) -> Iterator[Iterable[str]]:
    """By which anything on the sheets of a job goes."""
    match job.lay:
        case "cards":
            yield from (names for _entry, _kit, names in job_cards(stock, job))
        case "boards":
            yield from (board_names(parts) for parts in boards_of(stock.game, job))
        case "mechs" | "pawns" | "box":
            for kit in stock.kits:
                if kit.deck if job.lay == "box" else kit.has_sheet:
                    yield kit.names
                    yield from kit.variant_names.values()


def _all_names(stock: Printable, jobs: Iterable[SheetJob]) -> set[str]:
    """By which anything goes that the game could print at all, or that is printed for somebody."""
    game = stock.game
    kits = (*stock.kits, *_kits(game, Choice(), frozenset(game.editions)))
    known = {*game.kinds, *game.editions}
    known.update(*(kit.names for kit in kits))
    known.update(*(names for kit in kits for names in kit.variant_names.values()))
    known.update(*(card_names(card) for card in game.cards.values()))
    known.update(*(board_names(parts) for job in jobs for parts in boards_of(game, job)))
    return known - {""}


def check_only(stock: Printable, jobs: Iterable[SheetJob], chosen: Sequence[SheetJob]) -> None:
    """Raises ``InvalidSource`` for words that name nothing, or nothing on the chosen sheets."""
    if not stock.choice.only:
        return
    known = _all_names(stock, jobs)
    here = set[str]().union(*(names for job in chosen for names in _names_on(stock, job)))
    elsewhere = "not-in-these-boxes" if stock.choice.boxes else "not-on-these-sheets"
    problems = []
    for name in stock.choice.only:
        if name not in known:
            near = nearest(name, known)
            problems.append(told(COMMAND_LINE, "ONLY", "nowhere", name=name, nearest=near))
        elif chosen and name not in here:
            game = stock.game.id
            problems.append(told(COMMAND_LINE, "ONLY", elsewhere, name=name, game=game))
    if problems:
        raise InvalidSource(problems)
