// Cards as a table: a row each, sorted by any column.

import { el, problemItem, word } from "./base.js";

const LONG = 14; // letters that a line of a narrow column has room for
const order = new Intl.Collator(undefined, { numeric: true });

/** What a card has in a column. */
function cell(data, card, column) {
  if (column === "name" || column === "id") return card[column];
  if (column === "kind") return data.kinds.find((kind) => kind.id === card.kind)?.name ?? card.kind;
  return card.fields[column.slice(1)] ?? "";
}

/** Cards by a column, from the last on where a `-` stands before it; those without a value come last. */
export function sorted(data, cards, sort) {
  const down = sort.startsWith("-");
  const column = down ? sort.slice(1) : sort;
  if (!column) return cards;
  const cells = new Map(cards.map((card) => [card, cell(data, card, column)]));
  return [...cards].sort((one, other) => {
    const [a, b] = [cells.get(one), cells.get(other)];
    if (!a || !b) return Number(!a) - Number(!b);
    return order.compare(a, b) * (down ? -1 : 1);
  });
}

/** The columns that some of these cards have a value in: `.field` of a field. */
function columns(data, cards) {
  const kinds = new Set(cards.map((card) => card.kind));
  const labels = Object.assign({}, ...data.kinds.filter((kind) => kinds.has(kind.id)).map((kind) => kind.fields));
  const some = Object.entries(labels).filter(([field]) => cards.some((card) => card.fields[field]));
  return [["name", word("column_name")], ["id", word("column_id")], ...(kinds.size > 1 ? [["kind", word("kind")]] : []), ...some.map(([field, label]) => [`.${field}`, label])];
}

/** `acts.open(id)` opens a card, `acts.sort(by)` sorts by a column. */
export function cardTable(data, cards, sort, acts) {
  const all = columns(data, cards);
  const head = ([column, label]) => {
    const [up, down] = [sort === column, sort === `-${column}`];
    return el("th", { scope: "col", "aria-sort": up ? "ascending" : down ? "descending" : null },
      el("button.plain", { type: "button", id: `sort-${column}`, onclick: () => acts.sort(up ? `-${column}` : down ? "" : column) }, label, el("span", { "aria-hidden": "true" }, up ? " ▲" : down ? " ▼" : "")));
  };
  return el("table.cards-table", {},
    el("thead", {}, el("tr", {}, ...all.map(head))),
    el("tbody", {}, ...cards.map((card) => el(`tr${card.wrong.length ? ".wrong" : ""}`, { "data-row": card.id },
      el("th", { scope: "row" }, el("button.plain", { type: "button", onclick: () => acts.open(card.id) }, card.name),
        card.wrong.length ? el("ul.inner", {}, ...card.wrong.map((number) => problemItem(data.problems[number], { place: false }))) : null),
      ...all.slice(1).map(([column]) => { const text = cell(data, card, column); return el(text.length > LONG ? "td.long" : "td", { title: text.length > LONG ? text : null }, el("span", {}, text)); })))));
}
