"""Colours by published values."""

from __future__ import annotations

import pytest

from exporter.printing.colours import VISIONS, contrast, difference, lab

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
RED, GREEN = (200, 0, 0), (0, 116, 0)


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast(BLACK, WHITE) == contrast(WHITE, BLACK) == pytest.approx(21)


def test_the_grey_that_just_passes_on_white_has_a_contrast_of_four_and_a_half() -> None:
    assert contrast((0x76, 0x76, 0x76), WHITE) == pytest.approx(4.54, abs=0.01)


def test_white_is_a_hundred_light_and_has_no_hue() -> None:
    assert lab(WHITE) == pytest.approx((100, 0, 0), abs=0.02)


@pytest.mark.parametrize("vision", VISIONS)
def test_black_and_white_differ_for_every_eye(vision: str) -> None:
    assert difference(BLACK, WHITE, vision) == pytest.approx(100, abs=1)


def test_red_and_green_differ_less_for_the_colour_blind_and_hardly_in_grey() -> None:
    full = difference(RED, GREEN)
    assert difference(RED, GREEN, "deuteranopia") < 0.5 * full
    assert difference(RED, GREEN, "greyscale") < 5
