// All faces of a game, filtered and searched; what is saved shows at once, in its place.

import { api, ask, button, byId, calmly, caption, check, el, facts, fill, listed, openPlace, picture, plain, problemItem, refillDialog, showProblems, size, toast, watch, word } from "./base.js";
import { cardTable, sorted } from "./cardtable.js";
import { Making } from "./making.js";
import { pictured, repicture } from "./pictures.js";

let data = null;
const tiles = new Map(); // by card id
const chosen = { kind: "", deck: "", text: "", wrong: false, view: "", sort: "" }; // `sort` is a column, `-` before it from the last on
let shown = [];

function tile(card) {
  const known = tiles.get(card.id);
  const element = known?.element ?? el("button.card", { type: "button", "data-card": card.id, onclick: () => enlarge(card.id) });
  const faults = card.wrong.map((number) => data.problems[number]);
  const state = JSON.stringify([Boolean(card.front), card.ratio, card.name, faults.map((one) => one.message)]);
  if (known?.state !== state) { // to build a tile anew costs a hundred times what a new picture does
    const image = (card.front && element.querySelector("img.face")) || (card.front ? pictured("img.face", picture(card.front)) : el("span.face.noface", {}, word("no_face")));
    image.style.aspectRatio = card.ratio;
    element.classList.toggle("wrong", faults.some((one) => one.severity === "error"));
    fill(element, image,
      caption(card),
      ...faults.map((fault) => el("span.faults", {}, fault.message)));
    tiles.set(card.id, { element, state });
  }
  const image = element.querySelector("img.face");
  if (image && repicture(image, picture(card.front))) image.addEventListener("load", () => freshen(element), { once: true });
  return element;
}

/** Mark for a moment what looks different now. An animation would take the processor from the painter. */
function freshen(element) {
  element.classList.add("fresh");
  setTimeout(() => element.classList.remove("fresh"), 1500);
}

const haystack = (card) => plain([card.id, card.name, ...Object.values(card.fields)].join("\n"));

function fits(card) {
  if (chosen.kind && card.kind !== chosen.kind) return false;
  if (chosen.deck && !card.decks.includes(chosen.deck)) return false;
  if (chosen.wrong && !card.wrong.length) return false;
  return plain(chosen.text).split(/\s+/).every((part) => card.hay.includes(part));
}

function show() {
  if (!data) return; // who types before the cards are there finds them found
  shown = sorted(data, data.list.filter(fits), chosen.sort);
  const isTable = chosen.view === "table";
  const wanted = isTable ? [] : shown.map(tile);
  const grid = byId("grid");
  const same = wanted.length === grid.children.length && wanted.every((one, i) => one === grid.children[i]);
  if (!same) grid.replaceChildren(...wanted);
  byId("list").hidden = !isTable;
  byId("size").closest("label").hidden = isTable;
  const focus = document.activeElement?.id;
  fill(byId("list"), isTable ? cardTable(data, shown, chosen.sort, { open: enlarge, sort: (by) => { chosen.sort = by; show(); } }) : null);
  if (focus && document.activeElement?.id !== focus) byId(focus)?.focus({ preventScroll: true });
  fill(byId("views"), ...[["", "view_faces"], ["table", "view_table"]].map(([view, name]) =>
    el("button.chip", { type: "button", id: `view-${view || "faces"}`, "aria-pressed": String(chosen.view === view), onclick: () => { chosen.view = view; show(); byId(`view-${view || "faces"}`).focus(); } }, word(name))));
  byId("empty").hidden = shown.length > 0;
  const all = data.list.length;
  fill(byId("count"), shown.length === all ? word("found_all", { all }) : word("found", { shown: shown.length, all }));
  const hash = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value)).toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
}

function showFilters() {
  const counts = new Map();
  for (const card of data.list) counts.set(card.kind, (counts.get(card.kind) ?? 0) + 1);
  const chip = (id, name, count) =>
    el("button.chip", { type: "button", "aria-pressed": String(chosen.kind === id), onclick: () => { chosen.kind = id; showFilters(); show(); } },
      name, el("span.n", {}, String(count)));
  fill(byId("kinds"), chip("", word("all"), data.list.length),
    ...data.kinds.filter((kind) => counts.has(kind.id)).map((kind) => chip(kind.id, kind.name, counts.get(kind.id))));
  byId("decks-box").hidden = data.decks.length === 0;
  fill(byId("decks"), el("option", { value: "" }, word("all")),
    ...data.decks.map((deck) => el("option", { value: deck, selected: deck === chosen.deck }, data.deck_names[deck] ? `${deck} ${data.deck_names[deck]}` : deck)));
  byId("only-wrong-box").hidden = !data.list.some((card) => card.wrong.length) && !chosen.wrong;
}

async function load() {
  const found = await ask(api("cards"));
  if (!found.list) {
    showProblems(byId("problems"), found.problems);
    return;
  }
  data = found;
  for (const card of data.list) card.hay = haystack(card);
  const ids = new Set(data.list.map((card) => card.id));
  for (const id of [...tiles.keys()]) if (!ids.has(id)) tiles.delete(id);
  showProblems(byId("problems"), data.problems);
  showFilters();
  show();
}

const large = byId("large");
let current = "";

function step(by) {
  const index = shown.findIndex((one) => one.id === current);
  const next = shown[(index + by + shown.length) % shown.length];
  if (next) enlarge(next.id);
}

async function enlarge(id) {
  const card = data.list.find((one) => one.id === id);
  if (!card) return;
  current = id;
  const last = tiles.get(id)?.element.querySelector("img.face")?.getAttribute("src");
  const side = (key, name) => key && el("figure", {}, pictured("img", picture(key), { alt: `${card.name} ${word(name)}` }, name === "front" ? last : undefined), el("figcaption", {}, word(name)));
  const more = el("div.large-text");
  const line = card.place.match(/:(\d+)/)?.[1];
  const file = card.place.replace(/:[^:/\\]*$/, "").replace(/:\d+$/, "");
  fill(more,
    el("h3", { id: "large-name" }, card.name, card.id === card.name ? null : el("span.id", {}, card.id)),
    card.wrong.length ? el("ul", {}, ...card.wrong.map((n) => problemItem(data.problems[n]))) : null);
  refillDialog(large,
    el("div.large-bar", {},
      button(word("previous"), () => step(-1), { id: "large-previous" }), button(word("next"), () => step(1), { id: "large-next" }), button(word("close"), () => large.close())),
    el("div.large-inner", {}, el("div.large-faces", {}, side(card.front, "front"), side(card.back, "back")), more));
  const explained = await ask(api(`card/${encodeURIComponent(id)}`));
  if (current !== id) return;
  more.append(
    ...(explained.sections ?? []).map((section) =>
      el("section", {}, el("h4", {}, section.title), el("ul.lines", {}, ...section.lines.map((text) => el("li", {}, text))))),
    card.lies.length ? el("section", {}, el("h4", {}, word("lies")), el("p", {}, listed(card.lies))) : "",
    el("section", {}, el("h4", {}, word("place")), el("p", {}, card.place, " ", button(word("open_place"), () => openPlace(file, Number(line ?? 0), card.place), { class: "plain" }))),
  );
}

large.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
large.addEventListener("click", (event) => { if (event.target === large) large.close(); });
large.addEventListener("close", () => tiles.get(current)?.element.focus());

byId("search").addEventListener("input", calmly(() => { chosen.text = byId("search").value; show(); }, 60));
byId("decks").addEventListener("change", () => { chosen.deck = byId("decks").value; show(); });
byId("only-wrong").addEventListener("change", () => { chosen.wrong = byId("only-wrong").checked; show(); });
byId("size").addEventListener("input", () => byId("grid").style.setProperty("--card", `${byId("size").value}px`));

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const key of ["kind", "deck", "text", "view", "sort"]) chosen[key] = asked.get(key) ?? "";
  byId("search").value = chosen.text;
}
readAddress();
addEventListener("hashchange", () => {
  if (!data || location.hash === "#main") return;
  readAddress();
  showFilters();
  show();
});

/* All pictures as files, in one zip. */

let png = false;
const images = new Making("images", () => ({ png }), () => showImages());

function showImages() {
  if (facts.guest || !data) return;
  const { made } = images;
  fill(byId("images"),
    images.control(word("images_make"), () => images.make(), (far) => word("painting", far), { class: "", id: "images-make" }),
    images.working ? null : check(word("images_png"), png, (on) => { png = on; images.forget(); showImages(); }, { id: "images-png" }),
    ...(made?.files ?? []).map((file) => el("p", {}, el("a.button.main", { href: `/made/${file.address}`, download: file.name, id: "images-save" }, `${word("save")} ${file.name}`),
      el("span.count", {}, word("images_counts", { picture: file.counts.picture ?? 0, size: size(file.size) })))));
}

await load();
showImages();
watch(async (event) => {
  await load();
  if (event.what === "data") toast(word("changed"));
  if (large.open && current) enlarge(current);
});
