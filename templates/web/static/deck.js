// A deck put together: its cards with their copies, what the rules say, its curve and its odds.

import { Bar } from "./bar.js";
import { api, ask, boxChoices, button, byId, chooser, el, facts, fill, outdate, picture, problemItem, regulationChoice, reopen, showProblems, takesDrops, toast, word } from "./base.js";
import { Drafts, empty, keepBoxes, ownedBoxes } from "./drafts.js";
import { Odds } from "./odds.js";
import { pictured } from "./pictures.js";
import { Stock } from "./stock.js";
import { remedies, showVerdict } from "./verdict.js";

let data = null;
let judged = null;
let target = ""; // the deck that the next card goes to
const odds = new Odds({ open: true });
let curve = "";

const drafts = new Drafts((why) => {
  if (!data) return;
  if (why === "elsewhere") toast(word("draft_elsewhere"));
  show();
}, "decks");
const request = (more = {}) => ({ draft: drafts.draft, boxes: ownedBoxes(data.boxes), ...more });
const fresh = () => ({ ...empty(), decks: { [data.deck_kinds[0].id]: {} } });
const bar = new Bar(byId("drafts"), byId("sheet"), drafts, { request, fresh });

const change = (more) => drafts.change({ ...drafts.draft, ...more });
const cardsOf = (deck) => drafts.draft.decks[deck] ?? {};
const total = (deck) => Object.values(cardsOf(deck)).reduce((sum, count) => sum + count, 0);
const keyIn = (deck, card) => Object.keys(cardsOf(deck)).find((key) => data.byName.get(key) === card) ?? card.id;

/** The decks of this draft, and those that lie beside them. */
function kinds() {
  const own = Object.keys(drafts.draft.decks);
  const main = data.deck_kinds.find((kind) => own.includes(kind.id) && !kind.beside) ?? data.deck_kinds[0];
  return data.deck_kinds.filter((kind) => own.includes(kind.id) || kind.id === main.id || kind.beside === main.id);
}

function put(card, deck, by) {
  const cards = { ...cardsOf(deck) };
  const key = keyIn(deck, card);
  const count = (cards[key] ?? 0) + by;
  if (count > 0) cards[key] = count;
  else delete cards[key];
  change({ decks: { ...drafts.draft.decks, [deck]: cards } });
}

function move(card, from, to) {
  const [there, here] = [{ ...cardsOf(from) }, { ...cardsOf(to) }];
  const key = keyIn(from, card);
  const other = keyIn(to, card);
  here[other] = (here[other] ?? 0) + 1;
  if (there[key] > 1) there[key] -= 1;
  else delete there[key];
  change({ decks: { ...drafts.draft.decks, [from]: there, [to]: here } });
}

/* What is shown. */

const value = (card) => Number.parseInt(card?.fields[curve] ?? "", 10);

function row(kind, key, count) {
  const card = data.byName.get(key);
  const name = card?.name ?? data.others[key] ?? key;
  const wrong = (judged?.problems ?? []).filter((problem) => problem.cell === `decks.${kind.id}.${key}`);
  const others = card ? kinds().filter((one) => one.id !== kind.id && data.lying[one.id].has(card.id)) : [];
  const act = (sign, label, work, focus) => button(sign, work, { "aria-label": `${word(label)} ${name}`, "data-focus": `${kind.id} ${key} ${focus}`, class: "step" });
  const line = el(`li.entry${wrong.length ? ".wrong" : ""}`, { "data-card": key, draggable: card ? "true" : null },
    card?.front ? pictured("img.face", picture(card.front)) : el("span.face.noface"),
    el("span.name", { title: card ? Object.values(card.fields).join("\n").slice(0, 400) : null }, name),
    el("span.steps", {}, act("−", "slot_remove", () => take(kind, key), "-"), el("b", {}, String(count)),
      card ? act("＋", "deck_add", () => put(card, kind.id, 1), "+") : null,
      ...others.map((one) => act("⇄", "deck_move", () => move(card, kind.id, one.id), one.id))),
    wrong.length ? el("ul.inner", {}, ...wrong.map((problem) => problemItem(problem, { place: false }))) : null);
  if (card) line.addEventListener("dragstart", (event) => { event.dataTransfer.setData("text/plain", name); dragged = { card, from: kind.id }; });
  return line;
}

function take(kind, key) {
  const cards = { ...cardsOf(kind.id) };
  if (cards[key] > 1) cards[key] -= 1;
  else delete cards[key];
  change({ decks: { ...drafts.draft.decks, [kind.id]: cards } });
}

let dragged = null;

function showDecks() {
  const kept = document.activeElement?.dataset?.focus;
  fill(byId("parts"), ...kinds().map((kind) => {
    const entries = Object.entries(cardsOf(kind.id)).sort(([one], [other]) => {
      const [a, b] = [data.byName.get(one), data.byName.get(other)];
      return (value(a) || 0) - (value(b) || 0) || data.order.get(a) - data.order.get(b);
    });
    const [least, most] = kind.size ?? [0, Infinity];
    const count = total(kind.id);
    const size = kind.size ? `${count}/${least === most ? least : `${least}–${most}`}` : String(count);
    const box = el(`section.part${target === kind.id ? ".waiting" : ""}`, { "data-deck": kind.id, "aria-label": kind.name },
      el("h3", {}, button(kind.name, () => { target = kind.id; showDecks(); stockShown(); }, { class: "plain", "aria-pressed": String(target === kind.id), "data-focus": kind.id }),
        el(`span.n${count && (count < least || count > most) ? ".over" : ""}`, {}, size)),
      entries.length ? el("ul.entries", {}, ...entries.map(([key, copies]) => row(kind, key, copies))) : el("p.empty", {}, word("deck_empty")),
      el("ul.inner", {}, ...(judged?.problems ?? []).filter((problem) => problem.cell === `decks.${kind.id}`).map((problem) => problemItem(problem, { place: false }))));
    takesDrops(box, () => dragged, ({ card, from }) => {
      dragged = null;
      if (from && from !== kind.id) move(card, from, kind.id);
      else if (!from) put(card, kind.id, 1);
    });
    return box;
  }));
  if (kept) byId("parts").querySelector(`[data-focus="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true });
}

function stockShown() {
  stock.among(data.lying[target]);
  stock.counted(new Map(Object.keys(drafts.draft.decks).flatMap((deck) => Object.entries(cardsOf(deck)).map(([key, count]) => [data.byName.get(key)?.id ?? key, count]))
    .reduce((all, [id, count]) => all.set(id, (all.get(id) ?? 0) + count), new Map())));
}

function showFrame() {
  const draft = drafts.draft;
  const main = data.deck_kinds.filter((kind) => !kind.beside);
  fill(byId("frame"),
    el("label", {}, el("span.label", {}, word("draft_name")), el("input", { type: "text", id: "name", value: draft.name, maxlength: "80", onchange: (event) => change({ name: event.target.value }) })),
    main.length > 1 ? chooser(word("deck"), main.map((kind) => kind.id), kinds()[0].id, (id) => change({ decks: { [id]: {} } }), Object.fromEntries(main.map((kind) => [kind.id, kind.name])), { id: "kind" }) : null,
    regulationChoice(data.regulations, draft.regulation, change),
    curveShown(), odds.element,
    boxChoices(data.boxes, ownedBoxes(data.boxes), (ids) => { keepBoxes(ids); show(); }),
    bar.remarks(change));
}

/** How many cards of a deck have each value of a field, as bars. */
function curveShown() {
  if (!data.numbers.length) return null;
  const counts = new Map();
  for (const [key, count] of Object.entries(cardsOf(target))) {
    const number = value(data.byName.get(key));
    if (!Number.isNaN(number)) counts.set(number, (counts.get(number) ?? 0) + count);
  }
  const most = Math.max(1, ...counts.values());
  const [low, high] = counts.size ? [Math.min(...counts.keys()), Math.max(...counts.keys())] : [0, 0];
  const values = high - low < 16 ? Array.from({ length: high - low + 1 }, (_, at) => low + at) : [...counts.keys()].sort((a, b) => a - b);
  const label = [...counts].sort(([a], [b]) => a - b).map(([number, count]) => `${number}: ${count}`).join(", ");
  return el("figure.curve", {},
    el("figcaption", {}, el("label", {}, el("span.label", {}, word("deck_curve")), el("select", { id: "curve", onchange: (event) => { curve = event.target.value; showFrame(); showDecks(); } },
      ...data.numbers.map((name) => el("option", { value: name, selected: name === curve }, data.labels[name] ?? name))))),
    counts.size ? el("div.bars", { role: "img", "aria-label": label }, ...values.map((number) => {
      const bar_ = el("span.bar", {}, el("i", {}, String(counts.get(number) ?? "")), el("b"), el("span", {}, String(number)));
      bar_.querySelector("b").style.height = `${((counts.get(number) ?? 0) / most) * 5}rem`;
      return bar_;
    })) : null);
}

let asking = null;

async function show() {
  if (!drafts.one) return void drafts.add(fresh());
  if (!kinds().some((kind) => kind.id === target)) target = kinds()[0].id;
  bar.show(data);
  showFrame();
  showDecks();
  stockShown();
  asking?.abort();
  asking = new AbortController();
  outdate(byId("verdict"));
  try {
    judged = await ask(api("judge"), request(), asking.signal);
  } catch {
    return undefined;
  }
  showDecks();
  const isEmpty = kinds().every((kind) => !total(kind.id)) ? word("deck_nothing") : "";
  showVerdict({ verdict: byId("verdict"), faults: byId("faults"), figures: byId("figures") }, judged, remedies(drafts, bar), { isEmpty });
  odds.usual = data.draws ? {} : { hand: 5, turn: 1 };
  return odds.of(total(target) ? drafts.draft : null, target);
}

async function open() {
  const found = await ask(api("pool"));
  showProblems(byId("bench-problems"), found.problems);
  if (!found.list || !found.deck_kinds.length) return false;
  data = found;
  data.byName = new Map([...data.list.map((card) => [card.name, card]), ...data.list.map((card) => [card.id, card])]);
  data.order = new Map(data.list.map((card, index) => [card, index]));
  data.lying = Object.fromEntries(data.deck_kinds.map((kind) => [kind.id, new Set(kind.cards)]));
  data.labels = Object.assign({}, ...data.kinds.map((kind) => kind.fields));
  data.numbers = data.numbers.filter((name) => data.list.some((card) => card.fields[name] !== undefined));
  if (!data.numbers.includes(curve)) curve = data.numbers.find((name) => /cost|コスト/.test(name)) ?? data.numbers[0] ?? "";
  stock.show(data);
  return true;
}

const stock = new Stock(byId("stock"), {
  choose: (card) => put(card, target, 1),
  drag: (card, event) => { event.dataTransfer.setData("text/plain", card.name); dragged = { card, from: "" }; },
  dragEnd: () => { dragged = null; },
  key: (card, event) => {
    if (!["-", "Delete", "Backspace"].includes(event.key) || !cardsOf(target)[keyIn(target, card)]) return;
    event.preventDefault();
    put(card, target, -1);
  },
}, { fits: false });

if (facts.has && !facts.has.decks) {
  fill(byId("bench"), el("p.empty", {}, word("no_decks")));
  reopen();
} else await bar.begin("pool", open, show);
