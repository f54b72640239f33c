"""What everything else stands on: problems with places, sentences, names, files, limits, cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

# A mark in each room, and the number of a release.
__version__ = "0.2.0"

T = TypeVar("T")
K = TypeVar("K")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return things by what ``key`` says of each; groups and things in the order they come."""
    groups: dict[K, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def first_by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, T]:
    """Return the first of the things of which ``key`` says the same."""
    found: dict[K, T] = {}
    for thing in things:
        found.setdefault(key(thing), thing)
    return found


def sum_by_key(pairs: Iterable[tuple[K, int]]) -> Counter[K]:
    """Return the numbers of each key added up, keys in the order they come."""
    sums: Counter[K] = Counter()
    for key, number in pairs:
        sums[key] += number
    return sums
