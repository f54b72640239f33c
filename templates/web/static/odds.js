// What to expect of a deck: exact chances to hold its cards, and a hand drawn to try.

import { api, ask, button, calmly, el, fill, picture, word } from "./base.js";
import { pictured } from "./pictures.js";

const TURNS = 3; // that are shown beside the opening hand
const percent = (chance) => `${Math.round(chance * 100)}%`;

/** Cards in an order of chance. */
function shuffled(some) {
  const cards = [...some];
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

export class Odds {
  /** Shown in `element`. `usual` is how many are drawn where the game does not say. */
  constructor({ open = false, usual = {} } = {}) {
    Object.assign(this, { usual, drawn: {}, question: null, found: null, stack: [], from: 0, taken: 0 });
    this.numbers = Object.fromEntries([["hand", "odds_hand"], ["turn", "odds_turn"]].map(([key, label]) => [key, el("input", {
      type: "number", id: `odds-${key}`, min: "0", max: "99", "aria-label": word(label),
      onchange: (event) => { this.drawn[key] = Math.min(99, Math.max(0, Number(event.target.value) || 0)); this.ask(); },
    })]));
    this.table = el("div.scrolled");
    this.hand = el("div.hand");
    this.element = el("details.odds", { open, id: "draws", ontoggle: () => this.ask() }, el("summary", {}, word("draws_open")),
      el("div.row", {}, ...[["hand", "odds_hand"], ["turn", "odds_turn"]].map(([key, label]) => el("label", {}, el("span.label", {}, word(label)), this.numbers[key]))),
      this.table, this.hand);
  }

  /** Of this deck of a draft; nothing is asked while it is closed. */
  of(draft, deck) {
    this.question = draft && { draft, deck };
    this.later();
  }

  later = calmly(() => this.ask(), 100);

  async ask() {
    if (!this.element.open) return;
    let found = null;
    if (this.question) {
      const before = JSON.stringify(this.question);
      found = await ask(api("chances"), { ...this.question, ...this.usual, ...this.drawn });
      if (before !== JSON.stringify(this.question)) return;
    }
    this.found = found?.ok && found.odds.length ? found : null;
    this.show();
  }

  show() {
    const { found } = this;
    for (const [key, input] of Object.entries(this.numbers)) if (document.activeElement !== input) input.value = this.drawn[key] ?? found?.[key] ?? "";
    if (!found) {
      fill(this.table);
      return fill(this.hand);
    }
    const turns = Math.min(TURNS, found.odds[0].by_turn.length - 1);
    const [heads, chances] = found.discards ? this.byRound(turns + 1) : [
      [word("odds_open"), ...Array.from({ length: turns }, (_, at) => word("odds_after", { turn: at + 1 }))],
      (one) => one.by_turn.slice(0, turns + 1)];
    fill(this.table, el("p.count", {}, word("odds_cards", { cards: found.cards })), el("table", { id: "odds" },
      el("thead", {}, el("tr", {}, el("td"), ...heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, ...found.odds.map((one) => el("tr", {}, el("th", { scope: "row" }, `${one.name} ×${one.copies}`), ...chances(one).map((chance) => el("td", {}, percent(chance))))))));
    Object.assign(this, { stack: [], from: 0, taken: 0 });
    return this.showHand();
  }

  /** The heads, and the chances of a card, where each hand is discarded before the next. */
  byRound(rounds) {
    const [first, later = first] = this.found.hands;
    const hands = first === later ? ["odds_in_hand"] : ["odds_in_hand_first", "odds_in_hand_later"];
    const seen = Array.from({ length: rounds }, (_, at) => word("odds_seen", { turn: at + 1 }));
    return [[...hands.map((key) => word(key)), ...seen], (one) => [...one.in_hand.slice(0, hands.length), ...one.by_turn.slice(0, rounds)]];
  }

  /** More cards; where the hand is discarded a new one, at the end of the deck of its discards too. */
  draw(count) {
    if (this.found.discards) {
      const left = this.stack.slice(this.taken);
      if (left.length < count) [this.stack, this.taken] = [[...left, ...shuffled(this.stack.slice(0, this.taken))], 0];
      this.from = this.taken;
    }
    this.taken = Math.min(this.taken + count, this.stack.length);
    this.showHand();
  }

  showHand() {
    const { found, stack, from, taken } = this;
    const begin = () => { this.stack = shuffled(found.pile.flatMap((card) => Array(card.copies).fill(card))); this.taken = 0; this.draw(found.hand); this.hand.querySelector("#draw-hand").focus(); };
    const turn = () => { this.draw(found.turn); (this.hand.querySelector("#draw-turn:enabled") ?? this.hand.querySelector("#draw-hand")).focus(); };
    fill(this.hand,
      el("div.row", {}, button(word("hand_draw"), begin, { id: "draw-hand" }),
        stack.length ? button(word("hand_more"), turn, { id: "draw-turn", disabled: !found.turn || (taken === stack.length && !found.discards) }) : null,
        stack.length ? el("span.count", { role: "status" }, word("hand_left", { left: stack.length - taken })) : null),
      stack.length ? el("ul.drawn", {}, ...stack.slice(from, taken).map((card) => {
        const face = card.front ? pictured("img.face", picture(card.front), { alt: card.name, title: card.name }) : el("span.face.noface", {}, card.name);
        face.style.aspectRatio = card.ratio;
        return el("li", {}, face);
      })) : null);
  }
}
