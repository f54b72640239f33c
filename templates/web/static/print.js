// Sheets on paper: what is chosen at the left, the pages as they will be, the files.

import { api, ask, boxChoices, button, byId, calmly, check, copyable, el, fill, problemItem, refillDialog, reopen, showProblems, size, toast, watch, word } from "./base.js";
import { handedDraft, nameOf, ownDrafts, sound, whoOptions } from "./drafts.js";
import { Making } from "./making.js";
import { pictured } from "./pictures.js";

const SKETCHED = 12; // pages of a file that are sketched before it is made
const SOON = 80; // pieces on pages whose faces are looked at without being asked
const NOTHING = { sheets: [], preset: "", paper: "", cut: "", backs: "", bleed: null, gap: null, only: [], mechs: [], boxes: [], saving: false };

let data = null;
let choices = { ...NOTHING };
let planned = null;
let looked = null;

/** The sheet that most people want first: cards. */
const usual = () => [(data.sheets.find((one) => one.lay === "cards") ?? data.sheets[0]).id];

const order = () => Object.fromEntries(Object.entries(choices).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(NOTHING[key])));

function readAddress() {
  const draft = handedDraft(["mech", "deck"]);
  choices = { ...NOTHING, sheets: usual() };
  if (draft) choices = { ...NOTHING, mechs: [draft] };
  else if (location.hash) {
    try {
      const found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      for (const [key, value] of Object.entries(NOTHING)) {
        choices[key] = Array.isArray(value) === Array.isArray(found[key]) && found[key] !== undefined ? found[key] : value;
      }
      choices.mechs = choices.mechs.map((one) => (typeof one === "string" ? one : sound(one)));
    } catch { /* a link that was cut */ }
  }
}

let asking = null;
const plan = calmly(async () => {
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(order()))}`);
  asking?.abort();
  asking = new AbortController();
  let found;
  try {
    found = await ask(api("plan"), order(), asking.signal);
  } catch {
    return;
  }
  planned = found.ok ? found : null;
  showProblems(byId("problems"), found.problems?.length ? found.problems : data.problems);
  showMaking();
  showPages();
}, 120);

function change(more) {
  choices = { ...choices, ...more };
  making.forget();
  looked = null;
  showPages();
  plan();
}

/* What is chosen. */

const chooser = (key, label, options) => el("label", {}, el("span.label", {}, label),
  el("select", { id: `print-${key}`, onchange: (event) => change({ [key]: event.target.value }) },
    el("option", { value: "" }, word("as_usual")), ...options.map(([value, name]) => el("option", { value, selected: choices[key] === value }, name))));

const length = (key, label, max) => el("label", {}, el("span.label", {}, label),
  el("input", { type: "number", min: "0", max: String(max), step: "0.5", value: choices[key] ?? "", id: `print-${key}`, onchange: (event) => { const value = event.target.value; change({ [key]: value === "" || Number.isNaN(Number(value)) ? null : Math.min(max, Math.max(0, Number(value))) }); } }));

function showChoices() {
  const drafts = ownDrafts(data);
  const put = (who) => { change({ mechs: [...choices.mechs, who] }); showChoices(); };
  const focus = document.activeElement?.id;
  fill(byId("choices"),
    el("fieldset", {}, el("legend", {}, word("sheets")),
      check(word("sheets_all"), !choices.sheets.length, (on) => { change({ sheets: on ? [] : usual() }); showChoices(); }, { id: "sheets-all" }),
      ...data.sheets.map((one) => check(one.name, choices.sheets.includes(one.id), (on) => {
        change({ sheets: data.sheets.map((each) => each.id).filter((id) => (id === one.id ? on : choices.sheets.includes(id))) });
        showChoices();
      }, { id: `sheet-${one.id}` }))),
    data.mechs.length || drafts.length ? el("fieldset", {}, el("legend", {}, word(data.mechs.length ? "print_mechs" : "page_deck")),
      el("ul.taken", {}, ...choices.mechs.map((who, index) => el("li", {}, el("span", {}, nameOf(data, who)),
        button("×", () => { change({ mechs: choices.mechs.filter((_, at) => at !== index) }); showChoices(); }, { class: "plain", "aria-label": `${word("slot_remove")} ${nameOf(data, who)}` })))),
      el("select", { id: "print-mech", "aria-label": word("print_add"), onchange: (event) => put(event.target.value.startsWith("own ") ? drafts[Number(event.target.value.slice(4))] : event.target.value) },
        el("option", { value: "" }, choices.mechs.length ? word("print_add") : word("all")),
        ...whoOptions(data, drafts, null))) : null,
    el("label", {}, el("span.label", {}, word("print_only")),
      el("input", { type: "text", id: "print-only", value: choices.only.join(", "), placeholder: data.words.length ? word("print_only_hint", { example: data.words.slice(0, 2).join(", ") }) : null, list: "print-words", maxlength: "400", onchange: (event) => change({ only: event.target.value.split(/[,、]/).map((one) => one.trim()).filter(Boolean) }) }),
      el("datalist", { id: "print-words" }, ...data.words.map((one) => el("option", { value: one })))),
    chooser("preset", word("print_preset"), data.presets.map((one) => [one.id, one.name])),
    chooser("paper", word("print_paper"), data.papers.map((one) => [one.id, `${one.id.toUpperCase()} ${one.size.join("×")} mm`])),
    el("details", {}, el("summary", {}, word("print_more")), el("div.inner", {},
      chooser("backs", word("print_backs"), ["interleaved", "separate", "none"].map((one) => [one, word(`print_backs_${one}`)])),
      chooser("cut", word("print_cut"), ["marks", "lines", "none"].map((one) => [one, word(`print_cut_${one}`)])),
      length("bleed", word("print_bleed"), 20), length("gap", word("print_gap"), 100),
      check(word("print_saving"), choices.saving, (on) => change({ saving: on }), { id: "print-saving" }))),
    boxChoices(data.boxes, choices.boxes, (boxes) => { change({ boxes }); showChoices(); }));
  if (focus) byId(focus)?.focus({ preventScroll: true });
}

/* What is made. */

const counted = () => planned.files.reduce((all, file) => all + file.pages.length, 0);

function showMaking() {
  const lists = planned?.files.filter((file) => !file.pages.length).length ?? 0;
  const { made } = making;
  fill(byId("making"),
    making.control(word(made ? "print_again" : "print_show"), make, (far) => word("setting", far), { disabled: !planned?.files.length, ...(made ? { class: "plain" } : {}) }),
    making.working ? null : el("p.count", { id: "planned", role: "status" }, !asking ? word("planning") : planned ? [word("print_planned", { files: planned.files.length, pages: counted() }), lists ? ` ${word("print_lists", { lists })}` : null].join("") : null));
  fill(byId("making-more"),
    ...(made?.remarks ?? planned?.remarks ?? []).map((line) => el("p.remark", {}, line)),
    planned ? copyable(location.href, word("share_link")) : null);
}

const making = new Making("print", order, showMaking);

async function make() {
  looked = null;
  fill(byId("sheets"));
  const made = await making.make();
  showPages();
  const pieces = planned?.files.flatMap((file) => file.pages).reduce((all, page) => all + page.spots.length, 0);
  if (made && pieces && pieces <= SOON) await look();
}

async function look() {
  const of = making.made;
  looked = { waits: true };
  showPages();
  const found = await ask(api("looks"), order());
  if (making.made !== of) return;
  looked = found;
  showPages();
}

/** A mark over a page: a rectangle in its millimetres. */
function mark(name, page, [x, y, w, h], title = null) {
  const found = el(`span.${name}`, { title });
  const [width, height] = page.size;
  Object.assign(found.style, { left: `${(x / width) * 100}%`, top: `${(y / height) * 100}%`, width: `${(w / width) * 100}%`, height: `${(h / height) * 100}%` });
  return found;
}

/** What was found on a piece of a page, as outlines over its picture. */
const findings = (page) => page.spots.flatMap((spot) => {
  const here = (looked?.problems ?? []).filter((problem) => problem.place === spot.place);
  return here.length ? [mark("finding", page, spot.box, here.map((problem) => problem.message).join("\n"))] : [];
});

/** The pages as they are planned, before they are made: where each piece lies. */
function sketched(file) {
  const pages = file.pages.slice(0, SKETCHED).map((page, index) => {
    const leaf = el("span.leaf.sketch", {}, ...page.spots.map((spot) => mark("piece", page, spot.box)));
    leaf.style.aspectRatio = `${page.size[0]} / ${page.size[1]}`;
    return el("figure.page", {}, leaf, el("figcaption.caption", {}, String(index + 1)));
  });
  const rest = file.pages.length - pages.length;
  return el("section.sheet-file", {}, el("div.sheet-head", {}, el("h3", {}, file.title)),
    el("div.pages-grid", {}, ...pages), rest > 0 ? el("p.count", {}, word("pages_more", { count: rest })) : null);
}

function showPages() {
  const { made } = making;
  if (!made) return fill(byId("sheets"), ...(making.working ? [] : planned?.files ?? []).filter((file) => file.pages.length).map(sketched));
  const has = planned?.files.some((file) => file.pages.length);
  return fill(byId("sheets"),
    looked?.waits ? el("p.count", { role: "status" }, word("looking")) : null,
    looked?.problems ? (looked.problems.length
      ? el("ul.inner", { id: "looks" }, ...looked.problems.map((problem) => problemItem(problem)))
      : el("p.state.legal", { id: "looks" }, word("looks_good", { read: looked.read }))) : null,
    !looked && has ? button(word("look"), look, { id: "look" }) : null,
    ...made.files.map(sheet));
}

function sheet(file) {
  const plan_ = planned?.files.find((one) => `${one.name}.pdf` === file.name);
  const count = file.counts.page ?? 0;
  const pages = Array.from({ length: count }, (_, index) => {
    const page = plan_?.pages[index] ?? { size: [210, 297], spots: [] };
    const image = pictured("img", `/pages/${file.address}/${index + 1}`, { alt: word("page_of", { page: index + 1, pages: count, name: plan_?.title ?? file.name }) });
    image.style.aspectRatio = `${page.size[0]} / ${page.size[1]}`;
    return el("button.page", { type: "button", onclick: () => enlarge(file, index + 1, count) }, el("span.leaf", {}, image, ...findings(page)), el("span.caption", {}, String(index + 1)));
  });
  return el("section.sheet-file", { "data-file": file.name },
    el("div.sheet-head", {}, el("h3", {}, plan_?.title ?? file.name),
      el("span.count", {}, word("pages_counted", { pages: count, size: size(file.size) })),
      el("a.button.main.save", { href: `/made/${file.address}`, download: file.name }, `${word("save")} ${file.name}`)),
    el("div.pages-grid", {}, ...pages));
}

const large = byId("large");
const SAFE = 3; // mm inside the cut
let lined = false;

/** Where each piece of a page is cut, and how far from that a picture is safe. */
function linesOver(page) {
  return page.spots.flatMap(({ box: [x, y, w, h] }) => [mark("cut-line", page, [x, y, w, h]), w > 3 * SAFE && h > 3 * SAFE ? mark("safe-line", page, [x + SAFE, y + SAFE, w - 2 * SAFE, h - 2 * SAFE]) : null]);
}

function enlarge(file, number, count) {
  const page = planned?.files.find((one) => `${one.name}.pdf` === file.name)?.pages[number - 1];
  const step = (by) => enlarge(file, ((number - 1 + by + count) % count) + 1, count);
  const image = pictured("img.whole-page", `/pages/${file.address}/${number}?size=large`, { alt: word("page_of", { page: number, pages: count, name: file.name }) });
  const leaf = el("span.leaf", {}, image, ...(lined && page ? linesOver(page) : []));
  const [width, height] = page?.size ?? [210, 297];
  leaf.style.setProperty("--ratio", width / height);
  image.style.aspectRatio = width / height;
  large.onkeydown = (event) => { if (event.key === "ArrowLeft") step(-1); if (event.key === "ArrowRight") step(1); };
  refillDialog(large,
    el("div.large-bar", {}, el("span.count", {}, `${file.name} ${number}/${count}`), button(word("previous"), () => step(-1), { id: "large-previous" }), button(word("next"), () => step(1), { id: "large-next" }), button(word("close"), () => large.close())),
    page ? el("div.lines-choice", {}, check(word("lines_show"), lined, (on) => { lined = on; enlarge(file, number, count); }, { id: "lines" }), lined ? el("p.count", {}, word("lines_said", { safe: SAFE })) : null) : null,
    el("div.whole", {}, leaf));
}
large.addEventListener("click", (event) => { if (event.target === large) large.close(); });

/* Beginning. */

async function load() {
  const found = await ask(api("sheets"));
  if (found.sheets?.length) data = found;
  showProblems(byId("problems"), found.problems);
  if (!data && !found.problems?.length) fill(byId("sheets"), el("p.empty", {}, word("no_sheets")));
}

await load();
if (!data) reopen();
else {
  readAddress();
  showChoices();
  showMaking();
  plan();
  addEventListener("hashchange", () => { readAddress(); showChoices(); change({}); });
  watch(async (event) => {
    if (event.what !== "data") return;
    await load();
    showChoices();
    change({});
    toast(word("changed"));
  });
}
