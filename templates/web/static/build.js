// Constructing: the draft in the middle of it all; the rules speak after each change.

import { Bar } from "./bar.js";
import { api, ask, boxChoices, button, byId, chooser, el, facts, fill, isNarrow, listed, openSheet, outdate, picture, problemItem, refill, regulationChoice, reopen, showProblems, takesDrops, toast, word } from "./base.js";
import { Damage, Sheet } from "./beside.js";
import { damageChart } from "./chart.js";
import { Drafts, empty, keepBoxes, ownedBoxes } from "./drafts.js";
import { Odds } from "./odds.js";
import { pictured } from "./pictures.js";
import { pilotsShown } from "./skills.js";
import { Stock } from "./stock.js";
import { remedies, showVerdict } from "./verdict.js";

let data = null;
let judged = null;
let places = null; // where what is dragged or chosen fits, by part
let part = ""; // the part that the next card goes to

const cardOf = (name) => data.byName.get(name);
const drafts = new Drafts((why) => {
  if (!data) return;
  if (why === "elsewhere") toast(word("draft_elsewhere"));
  show();
});
const sheet = byId("sheet");
const bar = new Bar(byId("drafts"), sheet, drafts, { request: () => request(), fresh: () => fresh(), compare: () => compare() });

const request = (more = {}) => ({ draft: drafts.draft, boxes: owned(), ...more });
const owned = () => ownedBoxes(data.boxes);

/* Changes: each makes a new draft, so that it can be undone. */

const change = (more) => drafts.change({ ...drafts.draft, ...more });
const mountedOn = (one) => drafts.draft.mounted[one] ?? [];

function mount(card, target, from = null) {
  const mounted = { ...drafts.draft.mounted };
  if (from) mounted[from.part] = mounted[from.part].filter((_, slot) => slot !== from.slot);
  mounted[target] = [...(mounted[target] ?? []), data.ambiguous.has(card.name) ? card.id : card.name];
  change({ mounted });
}

function unmount(where, slot) {
  change({ mounted: { ...drafts.draft.mounted, [where]: mountedOn(where).filter((_, index) => index !== slot) } });
}

/** A word of the game in the language of the page. */
const label = (name) => data.labels[name] ?? name;

/** Mount a card that was chosen; a part that is full waits for no other. */
function put(card, name) {
  mount(card, name);
  const [has, slots] = [mountedOn(name).length, judged?.slots?.[name] ?? Infinity];
  if (isNarrow()) toast(word("mounted", { card: card.name, part: label(name), count: `${has}/${slots}` }));
  if (part && has >= slots) {
    unwait();
    if (isNarrow()) byId("parts").children[data.parts.indexOf(name)].scrollIntoView({ block: "center" });
  }
}

function unwait() {
  part = "";
  showParts();
  stock.waits("");
}

/** A card that was chosen goes to the part that waits for one, or asks where to go. */
async function choose(card) {
  if (part) return put(card, part);
  const found = await ask(api("fits"), request({ what: card.id }));
  openSheet(sheet, word("mount_where", { card: card.name }),
    el("div.where", {}, card.front ? pictured("img.face", picture(card.front)) : null,
      el("ul.targets", {}, ...data.parts.map((name) => {
        const { against, wants } = found[name] ?? { against: [], wants: [] };
        const [has, slots] = [mountedOn(name).length, judged?.slots[name] ?? Infinity];
        return el(`li${against.length ? ".no" : ""}`, {},
          button(`${label(name)} ${has}/${slots === Infinity ? "?" : slots}`, () => { sheet.close(); put(card, name); }, { class: against.length ? "" : "fits" }),
          has >= slots ? el("span.count", {}, word("slots_full"))
            : el("ul.inner", {}, ...[...against, ...wants].map((problem) => problemItem(problem, { place: false }))));
      }))));
  sheet.querySelector("button.fits")?.focus();
  return undefined;
}

/* Dragging: places that do not fit are dimmed while one drags, and say why. */

async function drag(card, from, event) {
  event.dataTransfer.setData("text/plain", card.name);
  event.dataTransfer.effectAllowed = "copyMove";
  dragged = { card, from };
  byId("parts").classList.add("dragging");
  const draft = from ? { ...drafts.draft, mounted: { ...drafts.draft.mounted, [from.part]: mountedOn(from.part).filter((_, slot) => slot !== from.slot) } } : drafts.draft;
  places = await ask(api("fits"), { ...request(), draft, what: card.id });
  if (dragged?.card !== card) return;
  for (const box of byId("parts").children) {
    const fit = places[box.dataset.part];
    box.classList.toggle("no", Boolean(fit?.against.length));
    fill(box.querySelector(".why"), ...(fit?.against ?? []).map((problem) => problemItem(problem, { place: false })));
  }
}

let dragged = null;

function dragEnd() {
  dragged = null;
  byId("parts").classList.remove("dragging");
  for (const box of byId("parts").children) {
    box.classList.remove("no", "over");
    fill(box.querySelector(".why"));
  }
}

/* What is shown. */

/** Each part in its box; the boxes that would show the same stay as they are. */
function showParts() {
  const kept = document.activeElement?.dataset?.focus;
  const boxes = byId("parts");
  if (boxes.children.length !== data.parts.length) fill(boxes, ...data.parts.map(partBox));
  for (const [at, name] of data.parts.entries()) showPart(boxes.children[at], name);
  if (kept && document.activeElement?.dataset?.focus !== kept) boxes.querySelector(`[data-focus="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true });
}

function showPart(box, name) {
  const cards = mountedOn(name);
  const slots = judged?.slots?.[name] ?? cards.length;
  const wrong = (cell) => (judged?.problems ?? []).filter((problem) => problem.cell === cell);
  const faults = [wrong(name), ...cards.map((_, slot) => wrong(`${name}.${slot + 1}`))];
  box.dataset.part = name;
  box.setAttribute("aria-label", label(name));
  box.classList.toggle("waiting", part === name);
  refill(box, [data.stamp, name, cards, slots, faults, part === name], () => [
    el("h3", {}, label(name), el(`span.n${cards.length > slots ? ".over" : ""}`, {}, `${cards.length}/${slots}`)),
    el("ol.slots", {},
      ...cards.map((one, slot) => mountedCard(one, name, slot, slot >= slots, faults[slot + 1])),
      ...Array.from({ length: Math.max(0, slots - cards.length) }, (_, index) => el("li.slot.empty", {},
        el("button", { type: "button", "data-focus": `${name} +${index}`, "aria-pressed": String(part === name), title: word("slot_pick", { part: label(name) }),
          onclick: () => { part = part === name ? "" : name; showParts(); stock.waits(part, label(part)); } }, word("slot_empty"))))),
    el("ul.inner", {}, ...faults[0].map((problem) => problemItem(problem, { place: false }))),
    el("ul.inner.why")]);
}

/** A box that takes what is dragged to it. */
function partBox() {
  const box = el("section.part");
  takesDrops(box, () => dragged, ({ card, from }) => {
    dragEnd();
    if (from?.part !== box.dataset.part) mount(card, box.dataset.part, from);
  });
  return box;
}

function mountedCard(name, where, slot, over, problems) {
  const card = cardOf(name);
  const line = el(`li.slot${over ? ".beyond" : ""}${problems.length ? ".wrong" : ""}`, { draggable: card ? "true" : null, title: over ? word("slot_over") : null },
    card?.front ? pictured("img.face", picture(card.front)) : el("span.face.noface", {}),
    el("span.name", {}, card?.name ?? name),
    button("×", () => unmount(where, slot), { class: "plain remove", "aria-label": `${word("slot_remove")} ${name}`, "data-focus": `${where} ${slot}` }),
    problems.length ? el("ul.inner", {}, ...problems.map((problem) => problemItem(problem, { place: false }))) : null);
  if (card) {
    line.addEventListener("dragstart", (event) => drag(card, { part: where, slot }, event));
    line.addEventListener("dragend", dragEnd);
  }
  return line;
}

function showFrame() {
  const draft = drafts.draft;
  const keys = [...data.frame_keys.map((key) => [key, [...new Set(data.frame_words.map((words) => words[key]))]]), ...Object.entries(data.frame_options)];
  refill(byId("frame"), [data.stamp, drafts.current, draft.name, draft.frame, draft.regulation], () => [
    el("label", {}, el("span.label", {}, word("draft_name")), el("input", { type: "text", id: "name", value: draft.name, maxlength: "80", onchange: (event) => change({ name: event.target.value }) })),
    el("div.frame-words", {}, ...keys.map(([key, words]) => chooser(label(data.frame_names[key] ?? key), words, draft.frame[key], (value) => change({ frame: { ...drafts.draft.frame, [key]: value } }), data.labels))),
    regulationChoice(data.regulations, draft.regulation, change)]);
  refill(byId("frame-more"), [data.stamp, drafts.current, draft.label, draft.note, draft.pilots, owned()], () => [
    pilotsShown(data, draft.pilots, (pilots) => change({ pilots }), sheet),
    boxChoices(data.boxes, owned(), (ids) => { keepBoxes(ids); show(); }),
    bar.remarks(change)]);
}

const fresh = () => {
  const words = data.frame_words[0] ?? {};
  const options = Object.fromEntries(Object.entries(data.frame_options).map(([key, all]) => [key, all[0]]));
  return { ...empty(), frame: { ...words, ...options } };
};

/* Beside it: each is asked for a moment after the last change. */

const damage = new Damage((card) => Object.values(drafts.draft.mounted).flat().filter((name) => cardOf(name)?.id === card.id).length);
const odds = new Odds();
const paper = new Sheet();
fill(byId("beside"), damage.element, odds.element);
fill(byId("sheet-beside"), paper.element);

let asking = null;

async function show() {
  if (!drafts.one) drafts.add(fresh());
  bar.show(data);
  showFrame();
  showParts();
  asking?.abort();
  asking = new AbortController();
  outdate(byId("verdict"));
  try {
    judged = await ask(api("judge"), request(), asking.signal);
  } catch {
    return;
  }
  showParts();
  const free = data.parts.reduce((sum, name) => sum + Math.max(0, (judged.slots?.[name] ?? 0) - mountedOn(name).length), 0);
  showVerdict({ verdict: byId("verdict"), faults: byId("faults"), figures: byId("figures") }, judged, remedies(drafts, bar), { free });
  stock.changed(request());
  damage.of(drafts.draft);
  odds.of(drafts.draft, "");
  paper.of(drafts.draft);
}

async function compare() {
  const others = drafts.list.filter((one) => one.id !== drafts.current);
  const table = el("div.compared");
  const against = async (id) => {
    const other = others.find((one) => one.id === id).draft;
    const [mine, theirs, hits] = await Promise.all([judged, ask(api("judge"), { ...request(), draft: other }), ask(api("damage"), { drafts: [drafts.draft, other] })]);
    const value = (verdict, figure) => verdict.figures?.find((one) => one.id === figure)?.value ?? "";
    const row = (name, a, b) => el(`tr${String(a) === String(b) ? "" : ".unlike"}`, {}, el("th", { scope: "row" }, name), el("td", {}, String(a)), el("td", {}, String(b)));
    fill(table, hits.ok ? damageChart(hits) : null, el("table", {}, el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col" }, drafts.draft.name), el("th", { scope: "col" }, other.name))),
      el("tbody", {}, ...data.figures.map((figure) => row(figure.name, value(mine, figure.id), value(theirs, figure.id))),
        ...data.parts.map((name) => row(label(name), listed(mountedOn(name)) || "—", listed(other.mounted[name] ?? []) || "—")))));
  };
  openSheet(sheet, word("draft_compare"),
    el("label", {}, el("span.label", {}, word("compare_with")), el("select", { onchange: (event) => against(event.target.value) }, ...others.map((one) => el("option", { value: one.id }, one.draft.name)))),
    table);
  await against(others[0].id);
}

/* Beginning. */

async function open() {
  const found = await ask(api("parts"));
  showProblems(byId("bench-problems"), found.problems);
  if (!found.list) return false;
  data = found;
  data.byName = new Map([...data.list.map((card) => [card.name, card]), ...data.list.map((card) => [card.id, card])]);
  const names = new Set();
  data.ambiguous = new Set(data.list.filter((card) => names.has(card.name) || !names.add(card.name)).map((card) => card.name));
  stock.show(data);
  return true;
}

const stock = new Stock(byId("stock"), { choose, drag: (card, event) => drag(card, null, event), dragEnd, unwait });

if (facts.has && !facts.has.frames) {
  fill(byId("bench"), el("p.empty", {}, word("no_frames")));
  reopen();
} else await bar.begin("parts", open, show);
