// Any room zip, dropped here: what is wrong with it, its table, what it holds.

import { ask, byId, el, facts, fill, problemItem, size, toast, word } from "./base.js";
import { TableView, describing, viewButtons } from "./table.js";

const MOST = 64 * 1024 * 1024;
const view = new TableView(byId("view"), describing(byId("view"), byId("hover")));
fill(byId("views"), ...viewButtons(view));

/** Findings by the object that they speak of; those of the whole first. */
function byObject(problems) {
  const found = new Map();
  for (const problem of problems) {
    const of = problem.values?.object ?? "";
    found.set(of, [...(found.get(of) ?? []), problem]);
  }
  return [...found].sort(([one], [other]) => Boolean(one) - Boolean(other));
}

/** Outline the things that an object's words name: its tag, then its name in quotes. */
function point(object) {
  const name = /'(.*)'|"(.*)"/s.exec(object);
  const quoted = (name?.[1] ?? name?.[2] ?? "").replace(/…$/, "");
  let first = null;
  for (const node of byId("view").querySelectorAll(".thing")) {
    const hit = quoted && (node.thing.name === quoted || (quoted.length >= 39 && node.thing.name.startsWith(quoted)));
    node.classList.toggle("pointed", Boolean(hit));
    if (hit && !first) first = node;
  }
  byId("stage").scrollIntoView({ block: "nearest" });
  if (!first) toast(word("verify_not_seen"));
}

/** What today's data of the game change in a saved room, and the room so, to be saved. */
async function update(found, file, place) {
  fill(place, el("p.count", { role: "status" }, word("update_working")));
  const query = `name=${encodeURIComponent(file.name.slice(-80))}&game=${encodeURIComponent(found.game)}`;
  const made = await ask(`/api/update?${query}`, file).catch(() => ({}));
  if (made.problems) return void fill(place, el("ul.inner", {}, ...made.problems.map((problem) => problemItem(problem, { place: false }))));
  fill(place, ...(made.address
    ? [el("ul.inner", {}, ...made.lines.map((line) => el("li", {}, line))),
      el("a.button.main", { href: `/made/${made.address}`, download: made.name, id: "save-update" }, `${word("save")} ${made.name}`)]
    : [el("p", {}, made.lines ? word("update_none") : "")]));
}

function show(found, file) {
  const problems = found.problems ?? [];
  const wrong = problems.filter((one) => one.severity === "error").length;
  const state = wrong ? "illegal" : problems.length ? "unknown" : "legal";
  const counts = Object.entries(found.counts ?? {}).filter(([, count]) => count);
  fill(byId("found"),
    el("h2", {}, found.name),
    el("p", {}, el(`strong.state.${state}`, { id: "state" }, problems.length ? word("verified_not", { count: problems.length }) : word("verified")), " ",
      [...counts.map(([sort, count]) => word(`holds_${sort}`, { count })), size(found.size ?? 0)].join(" · ")),
    ...byObject(problems).map(([object, some]) => el("details.object", { open: problems.length < 12 },
      el("summary", {}, object || word("verify_whole"), el("span.n", {}, ` ${some.length}`),
        object && found.table ? el("button.plain", { type: "button", onclick: (event) => { event.preventDefault(); point(object); } }, word("verify_show")) : null),
      el("ul.inner", {}, ...some.map((problem) => problemItem(problem, { place: false }))))));
  if (found.game) {
    const place = el("div.object", { id: "update" });
    fill(place, el("button", { type: "button", onclick: () => update(found, file, place) }, word("update_ask")));
    byId("found").append(place);
  }
  for (const one of found.builds ?? []) {
    const state_ = one.legal === null ? "unknown" : one.legal ? "legal" : "illegal";
    byId("found").append(el("div.object.bench-build", {},
      el("p", {}, el("strong", {}, one.bench || one.draft.name), " ", el(`span.state.${state_}`, {}, word(`seat_${state_}`, { count: one.problems.length })), " ",
        el("a", { href: `/${facts.language}/${encodeURIComponent(found.game)}/build#draft=${encodeURIComponent(JSON.stringify(one.draft))}` }, word("verify_construct"))),
      el("ul.inner", {}, ...one.problems.map((problem) => problemItem(problem, { place: false })))));
  }
  byId("stage").hidden = !found.table;
  if (found.table) {
    view.camera = null;
    view.show(found);
  }
  const named = new Map();
  for (const thing of found.things ?? []) {
    const key = `${thing.kind} ${thing.name}`;
    const one = named.get(key) ?? { ...thing, times: 0, cards: 0 };
    named.set(key, { ...one, times: one.times + 1, cards: one.cards + (thing.count ?? 0) });
  }
  fill(byId("contents"), named.size ? el("details", {}, el("summary", {}, word("verify_contents")),
    el("ul.things", {}, ...[...named.values()].map((one) => el("li", {},
      el("span.label", {}, word(`thing_${one.kind}`)), " ", one.title || one.name || "—",
      one.times > 1 ? el("span.n", {}, ` ×${one.times}`) : null, one.cards ? el("span.n", {}, ` ${word("facts_cards", { cards: one.cards })}`) : null)))) : null);
}

async function look(file) {
  if (!file) return;
  if (file.size > MOST) return void toast(word("verify_large", { size: size(MOST) }));
  byId("drop").classList.add("busy");
  fill(byId("found"), el("p.count", { role: "status" }, word("verify_working", { name: file.name })));
  try {
    show(await ask(`/api/verify?name=${encodeURIComponent(file.name.slice(-80))}`, file), file);
  } catch {
    fill(byId("found"));
  } finally {
    byId("drop").classList.remove("busy");
    byId("zip").value = "";
  }
}

byId("zip").addEventListener("change", (event) => look(event.target.files[0]));
document.body.addEventListener("dragover", (event) => { event.preventDefault(); byId("drop").classList.add("over"); });
document.body.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
document.body.addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  look(event.dataTransfer.files[0]);
});
