// Boards put together: which, how each is turned, and whether it lies beside the one before or below.

import { button, el, word } from "./base.js";

const read = (text) => {
  const [, below, id, turn] = /^(\/?)([^@]*)@?(\d*)$/.exec(text) ?? ["", "", text, ""];
  return { below: Boolean(below), id, turn: Number(turn) };
};
const written = ({ below, id, turn }, index) => `${below && index ? "/" : ""}${id}${turn ? `@${turn}` : ""}`;

/** Choosers for boards, `order` as an order has them; the next choice is passed to `changed`. */
export function boardChoosers(all, order, isOwn, changed) {
  const parts = order.map(read);
  const pass = (next) => changed(next.map(written));
  const put = (index, more) => pass(parts.map((one, at) => (at === index ? { ...one, ...more } : one)));
  const turns = (one) => [0, ...(all.find((board) => board.id === one.id)?.turns.map(Number) ?? [])];
  const select = (label, id, first, chosen) => el("select", { "aria-label": label, id: `board-${label}`, onchange: (event) => chosen(event.target.value) },
    first ? el("option", { value: "" }, first) : null,
    ...all.map((board) => el("option", { value: board.id, selected: board.id === id }, `${board.id} ${board.name}`)));
  const line = (one, index) => {
    const name = `${word("board_of", { number: index + 1 })}`;
    const can = turns(one);
    const next = can[(can.indexOf(one.turn) + 1) % can.length];
    return el("li.board", {},
      index ? button(one.below ? "↓" : "→", () => put(index, { below: !one.below }), { class: "joint", id: `joint-${index}`, title: word(one.below ? "board_below" : "board_beside"), "aria-label": `${name}: ${word(one.below ? "board_below" : "board_beside")}` }) : el("span.joint"),
      select(name, one.id, "", (id) => put(index, { id, turn: 0 })),
      can.length > 1 ? button(`↻ ${one.turn}°`, () => put(index, { turn: next }), { class: "turn", id: `turn-${index}`, title: word("board_turn"), "aria-label": `↻ ${one.turn}° ${name}: ${word("board_turn")}` }) : null,
      parts.length > 1 ? button("×", () => pass(parts.filter((_, at) => at !== index)), { class: "plain", "aria-label": `${name}: ${word("slot_remove")}` }) : null);
  };
  return [
    el("ol", {}, ...parts.map(line)),
    el("div.row", {}, select(word("board_add"), null, word("board_add"), (id) => id && pass([...parts, { below: false, id, turn: 0 }])),
      isOwn ? button(word("board_own"), () => changed([]), { class: "plain" }) : null),
  ];
}
