"""What players call the keys and columns of their files, beside what a game's data call its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exporter.core.names import (
    Named,
    Names,
    index,
)

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "game": ("ゲーム", "ゲーム名", "対象ゲーム"),
    "name": ("名前", "なまえ", "名称", "機体", "機体名", "デッキ名"),
    "build": ("機体", "機体名", "ビルド", "構築", "名前", "なまえ", "build name"),
    "deck": ("デッキ", "山札", "デッキの種類"),
    "decks": ("デッキ", "山札"),
    "frame": ("機体", "機体タイプ", "フレーム", "シャーシ", "機種"),
    "mounted": ("搭載", "搭載武装", "装備", "部位"),
    "part": ("部位", "場所", "搭載部位", "搭載箇所", "パーツ"),
    "card": ("カード", "カード名", "武装", "武装名", "装備"),
    "cards": ("カード", "カード一覧", "内容"),
    "weapons": ("武装", "部位未定", "手持ち"),
    "copies": ("枚数", "まいすう", "数", "個数", "枚"),
    "pilot": ("パイロット", "操縦者", "パイロット名"),
    "pilots": ("パイロット", "操縦者", "搭乗者"),
    "skill": ("技能", "スキル", "パイロット技能"),
    "skills": ("技能", "スキル", "パイロット技能"),
    "regulation": ("レギュレーション", "レギュ", "大会規定"),
    "waivers": ("免除", "免除する規則", "ハウスルール"),
    "rule": ("規則", "ルール"),
    "reason": ("理由", "わけ"),
    "from": ("始点", "自分のマス"),
    "to": ("終点", "相手のマス"),
    "mode": ("使い方", "モード"),
    "with": ("併用", "使用中"),
}
"""Key or column → what it is called in Japanese. No file has all, so a word may be of several."""


def headings(keys: Iterable[str], more: Iterable[Named] = ()) -> Names:
    """Keys or columns of one sort of file by what players call them, and ``more`` of a game."""
    return index([*(Named(key, (), HEADINGS.get(key, ())) for key in keys), *more])
