// A new game: what one has, what it is called, where it goes; then its folder is shown.

import { ask, button, byId, el, facts, fill, listed, showProblems, size, word } from "./base.js";

const TABLES = ".xlsx,.ods,.csv,.tsv";
const PICTURES = ".png,.jpg,.jpeg,.webp,.svg";
const MOST = 64 * 1024 * 1024;
const language = facts.language;

let of = "table";
let choices = { id: "", name: "", like: facts.games[0] ?? "", board: "none", place: "", least: 2, most: 4 };
let files = { table: [], pictures: [] };
let unread = { table: [], pictures: [] }; // names of files that were given and cannot be taken
let busy = "";

const idOf = (name) => name.normalize("NFKC").replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9_-]+/g, "_").replace(/^[_-]+|[_-]+$/g, "").slice(0, 40);

/** Files of a drop, those of folders too, with their paths. */
async function dropped(transfer) {
  const found = [];
  const walk = async (entry, path) => {
    if (entry.isFile) found.push([await new Promise((done, failed) => entry.file(done, failed)), `${path}${entry.name}`]);
    else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) return;
        for (const one of some) await walk(one, `${path}${entry.name}/`);
      }
    }
  };
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry, "");
  return found;
}

function take(sort, pairs) {
  const endings = (sort === "table" ? TABLES : PICTURES).split(",");
  const fit = pairs.filter(([file, name]) => endings.some((ending) => name.toLowerCase().endsWith(ending)) && file.size <= MOST && !/(^|\/)[.~]/.test(name));
  unread = { ...unread, [sort]: pairs.filter((pair) => !fit.includes(pair)).map(([, name]) => name.split("/").pop()).filter((name) => !/^[.~]/.test(name)) };
  if (!fit.length) return show();
  files = { ...files, [sort]: fit };
  const [, first] = fit[0];
  const base = sort === "table" || !first.includes("/") ? first.split("/").pop() : first.split("/")[0];
  if (!choices.name && sort === (of === "pictures" ? "pictures" : "table")) choices = { ...choices, name: base.replace(/\.[^.]*$/, ""), id: choices.id || idOf(base) };
  return show();
}

const some = (names, most) => `${listed(names.slice(0, most))}${names.length > most ? ` … ${names.length}` : ""}`;

function drop(sort, label) {
  const has = files[sort];
  const input = el("input", { type: "file", id: `take-${sort}`, accept: sort === "table" ? TABLES : PICTURES, multiple: true, onchange: (event) => take(sort, [...event.target.files].map((file) => [file, file.webkitRelativePath || file.name])) });
  const zone = el("label.drop", {}, el("strong", {}, label),
    has.length ? el("span.has", {}, `${some(has.map(([, name]) => name), 3)} · ${size(has.reduce((sum, [file]) => sum + file.size, 0))}`) : null,
    unread[sort].length ? el("span.notice.unread", { role: "status" }, word("new_unread", { names: some(unread[sort], 8), types: (sort === "table" ? TABLES : PICTURES).split(",").join(" ") })) : null,
    el("span.button", {}, word("from_file_button")), input);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => { event.preventDefault(); event.stopPropagation(); take(sort, await dropped(event.dataTransfer)); });
  return zone;
}

/** Whether the table is one for a game that is there. */
const replaces = () => of === "table" && facts.own.includes(choices.id.trim()) && ["", facts.place].includes(choices.place.trim());

const field = (key, label, more = {}) => el("label", {}, el("span.label", {}, label),
  el("input", { type: "text", id: `new-${key}`, value: choices[key], maxlength: "200", oninput: (event) => { choices[key] = event.target.value; if (key === "name" && !field.touched) byId("new-id").value = choices.id = idOf(choices.name); if (key === "id") field.touched = true; byId("again").hidden = !replaces(); }, ...more }));

const chooser = (key, label, options) => el("label", {}, el("span.label", {}, label),
  el("select", { id: `new-${key}`, onchange: (event) => { choices[key] = event.target.value; } }, ...options.map(([value, name]) => el("option", { value, selected: choices[key] === value }, name))));

const number = (key, label) => el("input", { type: "number", min: "1", max: "12", value: choices[key], "aria-label": label, id: `new-${key}`, onchange: (event) => { choices[key] = Math.min(12, Math.max(1, Number(event.target.value) || 1)); } });

function show() {
  const focus = document.activeElement?.id;
  const sorts = ["table", "pictures", ...(facts.games.length ? ["game"] : []), "empty"];
  fill(byId("form"),
    el("fieldset.of", {}, el("legend", {}, word("new_of")), el("div.choices-of", {}, ...sorts.map((one) => el("label.choice", {},
      el("input", { type: "radio", name: "of", id: `of-${one}`, value: one, checked: one === of, onchange: () => { of = one; show(); } }),
      el("span", {}, el("strong", {}, word(`new_${one}`)), el("span.more", {}, word(`new_${one}_more`))))))),
    of === "table" ? drop("table", word("new_drop_table")) : null,
    of === "table" ? drop("pictures", word("new_drop_art")) : null,
    of === "pictures" ? drop("pictures", word("new_drop_pictures")) : null,
    of === "game" ? chooser("like", word("new_like"), facts.games.map((one) => [one, one])) : null,
    el("div.fields", {}, field("name", word("new_name")), field("id", word("new_id"), { placeholder: word("new_id_hint"), spellcheck: "false" }),
      of === "game" ? null : el("div", {}, el("span.label", {}, word("new_players")), el("div.row", {}, number("least", word("new_players")), word("new_to"), number("most", word("new_players")))),
      of !== "game" ? chooser("board", word("new_board"), facts.boards.map((one) => [one, word(`board_${one}`)])) : null,
      field("place", word("new_place"), { placeholder: facts.place, spellcheck: "false" })),
    el("p.notice", { id: "again", role: "status", hidden: !replaces() }, word("new_again")),
    el("div.row", {}, busy ? el("p.count", { role: "status" }, busy) : el("button.main", { type: "submit", id: "make" }, word("new_make"))));
  if (focus) byId(focus)?.focus({ preventScroll: true });
}

async function make() {
  const wanted = of === "table" ? ["table", "pictures"] : of === "pictures" ? ["pictures"] : [];
  const sent = wanted.flatMap((sort) => files[sort].map(([file, name]) => [sort, file, name]));
  if (wanted.length && !files[wanted[0]].length) return showProblems(byId("problems"), [{ severity: "error", message: word("new_none"), hint: "", rule: "", sources: [] }]);
  let to = "";
  for (const [index, [sort, file, name]] of sent.entries()) {
    busy = word("new_handing", { done: index + 1, total: sent.length });
    show();
    const query = new URLSearchParams({ sort, name, to });
    ({ to } = await ask(`/api/handed?${query}`, file));
  }
  busy = word("new_making");
  show();
  const [least, most] = [choices.least, choices.most].sort((a, b) => a - b);
  const found = await ask("/api/begin", {
    id: choices.id.trim(), name: choices.name.trim(), of, handed: to, place: choices.place.trim(),
    ...(of === "game" ? { like: choices.like } : { players: [least, most] }), ...(of === "game" ? {} : { board: choices.board }),
  });
  if (!found.ok) return showProblems(byId("problems"), found.problems);
  fill(byId("problems"));
  const open = (file) => ask(`/api/${encodeURIComponent(found.game)}/open`, { file, line: 0 });
  fill(byId("made"),
    el("h2", { id: "made-folder", tabindex: "-1" }, word(found.replaced ? "new_replaced" : "new_made", { folder: found.folder })),
    el("p", {}, el("a.button.main", { href: `/${language}/${encodeURIComponent(found.game)}/cards`, id: "look" }, word("new_open"))),
    found.report.length ? el("section", {}, el("h3", {}, word(found.replaced ? "new_changes" : "new_said")), el("ul.lines", {}, ...found.report.map((line) => el("li", {}, line)))) : null,
    found.files.length ? el("section", {}, el("h3", {}, word("new_files", { count: found.files.length })),
      el("ul.things", {}, ...found.files.map((file) => el("li", {}, el("code", {}, file), " ", button(word("open_file"), () => open(file), { class: "plain", "aria-label": `${word("open_file")} ${file}` }))))) : null);
  byId("made-folder").focus();
  return undefined;
}

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (busy) return;
  try {
    await make();
  } catch { /* `ask` has shown it */ } finally {
    busy = "";
    show();
  }
});
document.body.addEventListener("dragover", (event) => event.preventDefault());
document.body.addEventListener("drop", async (event) => {
  event.preventDefault();
  const pairs = await dropped(event.dataTransfer);
  if (of === "table" || of === "pictures") take(of, pairs);
});
show();
