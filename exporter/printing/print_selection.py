"""Select what of a game is printed: decks, mechs, cards and boards, by name and by box.

A *kit* is what one side plays with: a deck and, for a mech, its sheet and pawn. The name of a kit,
or of its box, selects all of it, including the cards that belong to no box.

An option that applies to no chosen job is an error; jobs that it does not apply to are left out, or
printed without it and named in a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.messages import (
    Joined,
    Sentence,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    each_of,
    nearest,
    problem_at,
    stop_for,
)
from exporter.model import (
    Build,
    Card,
    DeckCard,
    Game,
    Item,
    Loadout,
    Mech,
)
from exporter.model.boards import (
    ROW,
    board_id,
)
from exporter.model.documents import standing
from exporter.model.game_names import (
    resolve_any,
    resolve_name,
)
from exporter.model.print_jobs import (
    Lay,
    PrintOrder,
    SheetJob,
)
from exporter.rooms.area import Area
from exporter.rooms.laid_cards import selected
from exporter.rooms.seats import chosen_loadouts, owned_editions, unowned
from exporter.rules.errata import corrected
from exporter.rules.loadouts import with_decks


class Kit(Struct, frozen=True, kw_only=True, dict=True):
    """The deck of one side and, for a mech, its sheet and pawn.

    ``code`` is the deck's code, empty for a player's build. ``variants`` are the ids of the
    loadouts to print, the front of the sheet first; empty means all.
    """

    game: Game
    code: str = ""
    build: Build | None = None
    variants: tuple[str, ...] = ()

    @property
    def mech(self) -> Mech | None:
        """Return the game's mech with this code, ``None`` for other decks and players' builds."""
        return self.game.mechs.get(self.code)

    @property
    def has_sheet(self) -> bool:
        """Return whether a mech sheet can be printed: a player's mech, or one with loadouts."""
        return self.has_own_mech or bool(self.mech and self.mech.loadouts)

    @property
    def has_own_mech(self) -> bool:
        """Return whether this is a player's mech, not only a player's deck."""
        return self.build is not None and self.build.has_parts

    @cached_property
    def sides(self) -> tuple[Loadout, Loadout | None]:
        """Return the loadouts on the front and back of the mech's sheet, the back optional."""
        wish = ":".join([self.code, *self.variants[:1]])
        return chosen_loadouts(self.game, self.build or wish)

    @cached_property
    def deck(self) -> tuple[DeckCard, ...]:
        """Return the deck's cards with copies, for a mech those of the loadouts in ``variants``."""
        if self.build is not None:
            loadout = self.sides[0]
            brought = tuple(entry for cards in loadout.decks.values() for entry in cards)
            return (*loadout.deck, *brought) if self.build.has_parts else brought
        marks = [self.game.variants[name].mark for name in self.variants]
        cards = self.game.deck_cards(self.code)
        return tuple(e for e in cards if not marks or any(mark in e.mark for mark in marks))

    @property
    def name(self) -> str:
        """Return the name of the build, mech or card with the deck's code, else the code."""
        named = self.build or self.game.cards.get(self.code)
        return self.mech.title if self.mech else named.name if named else self.code

    @property
    def title(self) -> str:
        """Return code and name, separated by a space; once where they are equal."""
        return " ".join(dict.fromkeys(word for word in (self.code, self.name) if word))

    @property
    def box(self) -> str:
        """Return the id of the mech's edition, or an empty string."""
        return self.mech.edition if self.mech else ""

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the words of ``only`` that select the whole kit."""
        return frozenset(
            {self.code, self.name, self.mech.name if self.mech else "", self.box} - {""}
        )

    @cached_property
    def variant_names(self) -> dict[str, set[str]]:
        """Return, by loadout id, the words of ``only`` that select that loadout."""
        loadouts = self.variants or (self.mech.loadouts if self.mech else ())
        return {name: {f"{self.code}:{name}", f"{self.name}:{name}"} for name in loadouts}

    def card_names(self, entry: DeckCard) -> set[str]:
        """Return the words of ``only`` that select one card of the deck."""
        names = set(self.names) | names_of_cards(entry.card)
        for variant, more in self.variant_names.items():
            if self.game.variants[variant].mark in entry.mark:
                names |= more
        if self.box:
            return names
        # In a deck without a mech, cards without a box belong to every box that the deck has.
        box = entry.card.text("edition")
        return names | ({box} if box else {each.card.text("edition") for each in self.deck})

    def narrowed(self, order: PrintOrder) -> Kit | None:
        """Return the kit, the kit with only the loadouts that ``only`` names, or ``None``."""
        if order.takes(self.names):
            return self
        named = tuple(name for name, words in self.variant_names.items() if order.takes(words))
        return replace(self, variants=named) if named else None


class Printable(Struct, frozen=True, kw_only=True):
    """A game without errata (``printed``), with errata (``game``), its kits and the order."""

    printed: Game
    game: Game
    kits: tuple[Kit, ...]
    order: PrintOrder
    editions: frozenset[str]

    def of(self, game: Game) -> Printable:
        """Return the same selection for ``game``, which has other errata laid over it."""
        return replace(self, game=game, kits=_kits(game, self.order, self.editions))


def names_of_cards(card: Card) -> set[str]:
    """Return the words of ``only`` that select a card in any deck and box."""
    return {card.id, card.name, card.kind, card.text("group")}


def stocked(printed: Game, order: PrintOrder) -> Printable:
    """Resolve the names of ``order`` and collect the kits. ``printed`` has no errata laid over it.

    Raises ``InvalidSource`` for unknown boxes and builds, and for builds that need other boxes.
    """
    only = tuple(resolve_any(printed, word) for word in order.only)
    boxes = tuple(resolve_name(printed, "edition", box) for box in order.boxes)
    order = replace(order, only=only, boxes=boxes)
    editions = owned_editions(printed, boxes)
    game = with_decks(corrected(printed))
    kits = _kits(game, order, editions)
    return Printable(
        printed=with_decks(printed), game=game, kits=kits, order=order, editions=editions
    )


def _kits(game: Game, order: PrintOrder, editions: frozenset[str]) -> tuple[Kit, ...]:
    """Return the kits of ``order``, ignoring ``only``: decks in their order, then mechs."""
    if not order.builds:
        codes = dict.fromkeys([*game.printed_decks, *game.mechs])
        found = (Kit(game=game, code=code) for code in codes)
        return tuple(
            kit
            for kit in found
            if not (order.boxes and any(unowned(game, kit.code, kit.deck, editions)))
        )

    def kit_of(wish: str | Build) -> Kit:
        if isinstance(wish, Build):
            kit = Kit(game=game, build=wish)
        else:
            loadout, _other = chosen_loadouts(game, wish)
            variants = (loadout.variant.id,) if loadout.variant and ":" in wish else ()
            kit = Kit(game=game, code=loadout.code, variants=variants)
        others = unowned(game, kit.code, kit.deck, editions) if order.boxes else ()
        stop_for(
            problem_at(COMMAND_LINE, "BOXES", "plays-box", kit=kit.title, name=name, box=box)
            for name, box in others
        )
        return kit

    return tuple(each_of(kit_of, order.builds))


def left_kits(stock: Printable) -> list[Kit]:
    """Return the kits that are left out because they need a box that is not owned."""
    if stock.order.builds or not stock.order.boxes:
        return []
    kept = {kit.code for kit in stock.kits}
    everything = _kits(stock.game, PrintOrder(), frozenset(stock.game.editions))
    printable = (kit for kit in everything if kit.deck or kit.has_sheet)
    return [kit for kit in printable if kit.code not in kept]


def selected_cards(stock: Printable, job: SheetJob) -> list[DeckCard]:
    """Return the cards that the job's key ``cards`` selects from the boxes owned."""
    if job.cards is None:
        return []
    area = Area(stock.game, editions=stock.editions)
    return selected(area, Item(lay="cards", cards=job.cards, spot=standing(job.where)))


def job_cards(stock: Printable, job: SheetJob) -> Iterator[tuple[DeckCard, Kit | None, set[str]]]:
    """Yield each card that a job may lay, its kit if any, and the words that select it."""
    kits = [kit for kit in stock.kits if job.decks or (kit.build and not kit.has_own_mech)]
    if kits:
        kinds = {job.cards.kind} if job.cards and job.cards.kind and not job.decks else set()
        for kit in kits:
            for entry in kit.deck:
                if not kinds or entry.card.kind in kinds:
                    yield entry, kit, kit.card_names(entry)
    if not stock.order.builds:
        for entry in selected_cards(stock, job):
            yield entry, None, names_of_cards(entry.card) | {entry.card.text("edition")}


def chosen_cards(stock: Printable, job: SheetJob) -> list[tuple[DeckCard, Kit | None]]:
    """Return the cards that a job lays, each with its kit, after applying ``only``."""
    order = stock.order
    return [(entry, kit) for entry, kit, names in job_cards(stock, job) if order.takes(names)]


def chosen_kits(stock: Printable, *, with_sheet: bool) -> list[Kit]:
    """Return the kits that ``only`` selects and that have a sheet, or else cards."""
    narrowed = (kit.narrowed(stock.order) for kit in stock.kits)
    return [kit for kit in narrowed if kit and (kit.has_sheet if with_sheet else kit.deck)]


def boards_of(game: Game, job: SheetJob) -> tuple[tuple[str, ...], ...]:
    """Return a job's boards, each as the names of its parts; by default every board of the game."""
    return job.boards or tuple((name,) for name in game.boards)


def board_names(parts: Sequence[str]) -> set[str]:
    """Return the words of ``only`` that select a board: its whole name and its parts' names."""
    whole = "+".join(parts).replace(f"+{ROW}", ROW)
    return {whole, *parts, *map(board_id, parts)}


def _names_on(stock: Printable, job: SheetJob) -> Iterator[Iterable[str]]:
    """Yield the sets of words that select something on a job's sheets."""
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
    """Return every word that ``only`` may contain for this game and the given builds."""
    game = stock.game
    kits = (*stock.kits, *_kits(game, PrintOrder(), frozenset(game.editions)))
    known = (
        game.kinds,
        game.editions,
        *(kit.names for kit in kits),
        *(names for kit in kits for names in kit.variant_names.values()),
        *map(names_of_cards, game.cards.values()),
        *(board_names(parts) for job in jobs for parts in boards_of(game, job)),
    )
    return set[str]().union(*known) - {""}


def check_only(stock: Printable, jobs: Iterable[SheetJob], chosen: Sequence[SheetJob]) -> None:
    """Raise ``InvalidSource`` for words of ``only`` that match nothing on the chosen sheets."""
    if not stock.order.only:
        return
    known = _all_names(stock, jobs)
    here = set[str]().union(*(names for job in chosen for names in _names_on(stock, job)))
    elsewhere = "not-in-these-boxes" if stock.order.boxes else "not-on-these-sheets"
    problems = []
    for name in stock.order.only:
        if name not in known:
            near = nearest(name, known)
            problems.append(problem_at(COMMAND_LINE, "ONLY", "nowhere", name=name, nearest=near))
        elif chosen and name not in here:
            game = stock.game.id
            problems.append(problem_at(COMMAND_LINE, "ONLY", elsewhere, name=name, game=game))
    stop_for(problems)


# Options that select content: a job that they do not apply to is left out.
CHOOSING = ("--only", "--mech", "--deck", "--changed-by", "--changed-since")

_PIECES = frozenset(
    [
        "--size",
        "--scale-to-fit",
        "--grid",
        "--gap",
        "--bleed",
        "--cut",
        "--backs",
        "--edge",
        "--offset",
        "--saving",
    ]
)

# The options that apply to each kind of job, besides paper, preset and boxes, which always do.
FOLLOWED: Mapping[Lay, frozenset[str]] = {
    "cards": _PIECES | {"--only", "--changed-by", "--changed-since"},
    "mechs": _PIECES | {"--only", "--mech"},
    "face": _PIECES - {"--backs", "--edge", "--offset"},
    "boards": frozenset(("--only", "--overlap", "--poster", "--saving")),
    "pawns": frozenset(("--only", "--mech", "--saving")),
    "dial": frozenset(("--saving",)),
    "box": frozenset(("--only", "--mech", "--saving")),
    "document": frozenset(),
}


def is_deck(wish: str | Build) -> bool:
    """Return whether an entry of ``PrintOrder.builds`` is a player's deck without a mech."""
    return isinstance(wish, Build) and not wish.has_parts


_OF_ALL = ("--paper", "--preset", "--boxes")


def follows(job: SheetJob, option: str) -> bool:
    """Return whether an option applies to a job."""
    if option == "--mech" and job.lay == "cards":
        return job.decks
    if option == "--deck":
        return job.lay in ("cards", "box")
    if option == "--edge" and job.document == "calibration":
        return True
    return option in FOLLOWED[job.lay]


def options_of(order: PrintOrder) -> list[str]:
    """Return the options given in an order, except those that apply to every job."""
    given = {f"--{name}": True for name in order.given}
    given |= {
        "--poster": bool(order.poster),
        "--scale-to-fit": order.scale_to_fit,
        "--saving": order.saving,
    }
    given |= {name: bool(words) for name, words in words_of(order).items()}
    return [name for name, is_given in given.items() if is_given and name not in _OF_ALL]


def words_of(order: PrintOrder) -> dict[str, Sequence[str]]:
    """Return, by option, the words by which an order selects content."""
    names = [(wish if isinstance(wish, str) else wish.name, is_deck(wish)) for wish in order.builds]
    return {
        "--only": order.only,
        "--mech": [name for name, is_of_deck in names if not is_of_deck],
        "--deck": [name for name, is_of_deck in names if is_of_deck],
        "--boxes": order.boxes,
        "--changed-by": order.changed_by,
        "--changed-since": [order.changed_since] if order.changed_since else [],
    }


def following(
    game: Game, jobs: Sequence[SheetJob], options: Sequence[str], named: Iterable[str]
) -> list[SheetJob]:
    """Return the jobs to which all given content options (``CHOOSING``) apply.

    ``named`` are the ids that the order names. Raises ``InvalidSource`` for each named job that an
    option does not apply to and, where none is named, for each option that applies to no job.
    """
    problems = [
        problem_at(
            COMMAND_LINE,
            "OPTION",
            "sheet-lays-cannot",
            sheet=job.id,
            lay=job.document or job.lay,
            option=option,
        )
        for job in jobs
        if job.id in named
        for option in options
        if not follows(job, option)
    ]
    for option in options:
        if not named and not any(follows(job, option) for job in jobs):
            problem = problem_at(
                COMMAND_LINE, "OPTION", "no-sheet-can", game=game.id, option=option
            )
            problems.append(problem)
    stop_for(problems)
    choosing = [option for option in options if option in CHOOSING]
    return [job for job in jobs if all(follows(job, option) for option in choosing)]


def unheeded(jobs: Iterable[SheetJob], options: Iterable[str]) -> Sentence | None:
    """Return a message naming the options that do not apply to some jobs, or ``None``."""
    options = tuple(options)
    ignored = grouped(jobs, lambda job: tuple(one for one in options if not follows(job, one)))
    parts = tuple(
        sentence("printed", "part", sheets=", ".join(j.id for j in of), options=", ".join(without))
        for without, of in ignored.items()
        if without
    )
    return sentence("printed", "without", parts=Joined(parts, "; ")) if parts else None
