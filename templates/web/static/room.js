// A room put together: what is chosen at the left, the table as it will be, the zip below it.

import { api, ask, button, byId, calmly, check, copyable, el, facts, fill, owning, pastedAs, outdate, problemItem, reopen, showProblems, size, toast, watch, word } from "./base.js";
import { boardChoosers } from "./boards.js";
import { all as allDrafts, sound } from "./drafts.js";
import { Making } from "./making.js";
import { handAgain, handOver, isPicture, showOwn } from "./pawns.js";
import { TableView, describing, viewButtons } from "./table.js";

let data = null;
let seats = {}; // what the server said of builds, by seat
const NOTHING = { mechs: {}, pictures: {}, boards: [], boxes: [], shuffle: "" };
let wish = { room: "", ...NOTHING };
let builds = []; // builds that were dropped, pasted, or are in a link

const view = new TableView(byId("view"), describing(byId("view"), byId("hover")));
fill(byId("views"), ...viewButtons(view));

const plan = () => data.rooms.find((room) => room.id === wish.room);
/** Whether somebody can sit at a seat with a build or a deck of their own. */
const takes = (seat_) => Boolean(seat_.mech) || data.has.decks;
const own = () => [...(data.frames ? allDrafts() : []), ...(data.has.decks ? allDrafts("decks") : [])].map((one) => one.draft);

const said = () => ({ ...wish, mechs: Object.fromEntries(Object.entries(wish.mechs).filter(([, one]) => one)) });

/** A choice in the address: everything that was chosen, the builds too. */
function writeAddress() {
  const { room, ...rest } = said();
  const told = Object.entries(rest).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(NOTHING[key]));
  history.replaceState(null, "", `#${room}${told.length ? `=${encodeURIComponent(JSON.stringify(Object.fromEntries(told)))}` : ""}`);
}

function readAddress() {
  const handed = /^#(seat|deck)=(\w+)$/.exec(location.hash);
  const draft = handed && allDrafts(handed[1] === "deck" ? "decks" : "drafts").find((one) => one.id === handed[2])?.draft;
  if (draft) {
    builds = [draft];
    const [first] = plan().seats.filter(takes);
    if (first) wish.mechs = { [first.id]: draft };
    return;
  }
  const [room, rest] = decodeURIComponent(location.hash.slice(1)).split(/=(.*)/s);
  if (!data.rooms.some((one) => one.id === room)) return;
  let found = {};
  try {
    found = JSON.parse(rest || "{}");
  } catch { /* a link that was cut: the room alone counts */ }
  const texts = (many) => (Array.isArray(many) ? many.filter((one) => typeof one === "string") : []);
  const mechs = Object.entries(found.mechs ?? {}).map(([seat, one]) => [seat, typeof one === "string" ? one : sound(one)]);
  const pictures = Object.entries(found.pictures ?? {}).filter(([, one]) => typeof one?.key === "string" && typeof one.name === "string");
  wish = { room, mechs: Object.fromEntries(mechs), pictures: Object.fromEntries(pictures), boards: texts(found.boards), boxes: texts(found.boxes), shuffle: typeof found.shuffle === "string" ? found.shuffle : "" };
  builds = mechs.map(([, one]) => one).filter((one) => typeof one !== "string");
}

const waiting = el("p.empty", { role: "status" }, word("planning"));
let asking = null;
const lay = calmly(async () => {
  asking?.abort();
  asking = new AbortController();
  outdate(byId("seats"));
  writeAddress();
  let found;
  try {
    found = await ask(api("table"), said(), asking.signal);
  } catch {
    return;
  }
  if (found.missing) return regain(found.missing);
  seats = found.seats ?? {};
  showSeats();
  showProblems(byId("problems"), found.problems?.length ? found.problems : data.problems);
  byId("view").classList.toggle("stale", !found.ok);
  waiting.remove();
  if (found.ok) view.show(found);
  return showMaking(found.command);
}, 40);

/** Pictures that the server has forgotten are handed over again, or leave their seats. */
async function regain(keys) {
  const lost = [];
  for (const key of keys) if (!(await handAgain(key))) lost.push(key);
  change({ pictures: Object.fromEntries(Object.entries(wish.pictures).filter(([, one]) => !lost.includes(one.key))) });
}

function change(more) {
  wish = { ...wish, ...more };
  making.forget();
  lay();
}

const nameOf = (one) => {
  if (typeof one !== "string") return one.name || word("draft_nameless");
  const [code, variant] = one.split(":");
  const mech = data.mechs.find((each) => each.code === code);
  const found = mech?.variants.find((each) => each.id === variant);
  return mech ? `${mech.name}${found && mech.variants.length > 1 ? ` ${found.name}` : ""}` : one;
};

function seatChooser(seat) {
  const taken = wish.mechs[seat.id];
  const drafts = [...builds, ...own()];
  const unique = [...new Map(drafts.map((draft) => [JSON.stringify(draft), draft])).values()];
  const isOwn = taken && typeof taken !== "string";
  return el("select", {
    id: `seat-${seat.id}`,
    onchange: (event) => {
      const value = event.target.value;
      sit(seat.id, value.startsWith("own ") ? unique[Number(value.slice(4))] : value);
    },
  },
    seat.mech ? el("option", { value: "" }, nameOf(seat.mech)) : el("option", { value: "" }, "—"),
    unique.length ? el("optgroup", { label: word("own_builds") },
      ...unique.map((draft, index) => el("option", { value: `own ${index}`, selected: isOwn && JSON.stringify(draft) === JSON.stringify(taken) }, draft.name || word("draft_nameless")))) : null,
    data.mechs.length === 0 ? null : el("optgroup", { label: word("printed") },
      ...data.mechs.flatMap((mech) => mech.variants.map((variant) => {
        const value = `${mech.code}:${variant.id}`;
        return el("option", { value, selected: taken === value }, nameOf(value));
      }))));
}

function sit(seat, who) {
  const mechs = { ...wish.mechs };
  if (who) mechs[seat] = who;
  else delete mechs[seat];
  change({ mechs });
  showSeats();
}

function showSeats() {
  const place = byId("seats");
  const chosen = plan();
  if (!place) return;
  const focus = document.activeElement?.id;
  const names = new Map();
  for (const seat of chosen.seats) {
    const who = wish.mechs[seat.id] || seat.mech;
    if (typeof who === "string" && who) names.set(who.split(":")[0], [...(names.get(who.split(":")[0]) ?? []), seat.name]);
  }
  const twice = [...names.values()].filter((many) => many.length > 1);
  fill(place, ...chosen.seats.map((seat) => {
    const verdict = seats[seat.id];
    const state = verdict && (verdict.legal === null ? "unknown" : verdict.legal ? "legal" : "illegal");
    const line = el(`li.seat${seat.team ? `.team-${["red", "blue", "green", "yellow"].includes(seat.team) ? seat.team : "other"}` : ""}`, {},
      el("label", { for: `seat-${seat.id}` }, seat.name || seat.id),
      takes(seat) || wish.mechs[seat.id] ? seatChooser(seat) : el("span.fixed", {}, "—"),
      seat.pawn ? pawnChooser(seat) : null,
      state ? el(`span.state.${state}`, {}, word(`seat_${state}`, { count: verdict.problems.length })) : null,
      verdict?.problems.length ? el("ul.inner", {}, ...verdict.problems.map((problem) => problemItem(problem, { place: false }))) : null);
    line.addEventListener("dragover", (event) => { event.preventDefault(); line.classList.add("over"); });
    line.addEventListener("dragleave", () => line.classList.remove("over"));
    line.addEventListener("drop", (event) => { line.classList.remove("over"); take(event, seat.id); });
    return line;
  }));
  fill(byId("twice"), ...twice.map((many) => el("p.remark", {}, word("seat_twice", { names: many.join("・") }))));
  if (focus) byId(focus)?.focus({ preventScroll: true });
}

/** What stands in a seat: a picture of somebody's own, or else the game's. */
function pawnChooser(seat) {
  const own = wish.pictures[seat.id];
  const name = seat.name || seat.id;
  const thumb = own ? el("img", { alt: own.name }) : el("span", { "aria-hidden": "true" }, "＋");
  if (own) showOwn(thumb, own.key);
  return el("span.pawn", {},
    el("label", { title: own ? own.name : word("picture_own") }, thumb,
      el("input", { type: "file", accept: "image/png,image/jpeg,image/webp,image/svg+xml", id: `pawn-${seat.id}`, "aria-label": `${word("picture_own")}: ${name}`, onchange: (event) => stand(seat.id, event.target.files[0]) })),
    own ? button("×", () => unstand(seat.id), { class: "plain", "aria-label": `${word("picture_drop")}: ${name}` }) : null);
}

async function stand(seat, file) {
  const one = file && (await handOver(file));
  if (!one) return;
  change({ pictures: { ...wish.pictures, [seat]: one } });
  showSeats();
}

function unstand(seat) {
  const { [seat]: _, ...rest } = wish.pictures;
  change({ pictures: rest });
  showSeats();
  byId(`pawn-${seat}`)?.focus({ preventScroll: true });
}

/** The builds of a text; `beside` are names of pictures that came with it. */
async function read(text, name, beside = []) {
  const found = await ask(api("read"), { text, name: name || pastedAs(text), beside });
  if (found.problems?.length) showProblems(byId("problems"), found.problems);
  return (found.drafts ?? []).map((one) => ({ draft: sound(one), picture: one.picture }));
}

/** Builds that were pasted or dropped sit down: at the seat they were dropped on, or one by one. */
async function seat(read_, first = "", pictures = []) {
  if (!read_.length) return toast(word("read_none"));
  const drafts = read_.map((one) => one.draft);
  builds = [...drafts, ...builds];
  const mechs = { ...wish.mechs };
  const all = plan().seats.filter(takes);
  const free = all.filter((one) => typeof mechs[one.id] !== "object" || one.id === first).sort((a, b) => (b.id === first) - (a.id === first));
  for (const [index, draft] of drafts.slice(0, free.length).entries()) {
    mechs[free[index].id] = draft;
    toast(word("seated", { seat: free[index].name, name: draft.name }));
    const own = pictures.find((file) => file.name === read_[index].picture);
    if (own) await stand(free[index].id, own);
  }
  if (drafts.length > free.length) toast(word("too_many", { count: drafts.length, seats: free.length }));
  change({ mechs });
  return showSeats();
}

async function take(event, place = "") {
  event.preventDefault();
  event.stopPropagation();
  const files = [...(event.dataTransfer?.files ?? [])];
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  if (pictures.length && !others.length) {
    const to = place || plan().seats.find((one) => one.pawn && !wish.pictures[one.id])?.id;
    return to ? stand(to, pictures[0]) : toast(word("picture_nowhere"));
  }
  const texts = files.length
    ? await Promise.all(others.map(async (file) => [await file.text(), file.name]))
    : [[event.dataTransfer.getData("text"), ""]];
  const found = [];
  for (const [text, name] of texts) found.push(...(await read(text, name, pictures.map((file) => file.name))));
  return seat(found, place, pictures);
}

function showChoices() {
  const chosen = plan();
  const roomItem = (room) => el("button.room-item", { type: "button", "aria-pressed": String(room.id === wish.room), onclick: () => { change({ room: room.id, mechs: {}, pictures: {}, boards: [] }); showChoices(); view.camera = null; } },
    el("strong", {}, room.name), el("span", {}, word("players", { players: [...new Set(room.players)].join("–") })));
  const seated = chosen.seats.some(takes);
  const paste = el("textarea", { id: "paste", rows: "2", placeholder: word("from_file"), "aria-label": word("paste_here"), spellcheck: "false",
    oninput: calmly(async () => {
      const text = paste.value.trim();
      if (!text) return;
      const found = await read(text, "");
      if (found.length) paste.value = "";
      await seat(found);
    }, 250) });
  const boards = wish.boards.length ? wish.boards : chosen.boards;
  fill(byId("choices"),
    el("fieldset", {}, el("legend", {}, word("room")), el("div.rooms", {}, ...data.rooms.map(roomItem))),
    chosen.seats.length ? el("fieldset", {}, el("legend", {}, word("seats")), el("ul.seats", { id: "seats" }), el("div", { id: "twice" }), seated && (data.frames || data.has.decks) ? paste : null) : null,
    chosen.boards.length && data.boards.length > 1 ? el("fieldset.boards", {}, el("legend", {}, word("boards")),
      ...boardChoosers(data.boards, boards, wish.boards.length, (next) => { change({ boards: next }); showChoices(); })) : null,
    data.boxes.length > 1 ? el("fieldset", {}, el("legend", {}, word("boxes")), ...data.boxes.map((box) => check(box.name, !wish.boxes.length || wish.boxes.includes(box.id), (has) => keepBox(box, has)))) : null,
    el("label", {}, el("span.label", {}, word("shuffle")), el("input", { type: "text", value: wish.shuffle, placeholder: word("shuffle_hint"), title: word("shuffle_seed"), maxlength: "60", oninput: (event) => change({ shuffle: event.target.value }) })));
  const [list, item] = [".rooms", ".room-item[aria-pressed=true]"].map((one) => byId("choices").querySelector(one));
  if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  showSeats();
}

function keepBox(box, owned) {
  change({ boxes: owning(data.boxes, wish.boxes, box, owned) });
  showChoices();
}

function showMaking(command) {
  const place = byId("making");
  if (command !== undefined) place.dataset.command = command;
  const share = () => copyable(location.href, word("share_link"));
  const { made } = making;
  fill(place,
    el("div.make", {},
      making.control(word(made ? "make_again" : "make_zip"), make, (far) => word(far.done < far.total ? "painting" : "zipping", far)),
      made ? el("div.result", {}, ...made.files.map(result)) : null),
    made?.problems.length ? el("ul.inner", {}, ...made.problems.map((problem) => problemItem(problem))) : null,
    el("details.more", {}, el("summary", {}, word("command")), copyable(place.dataset.command ?? ""), share()));
}

function result(file) {
  const wrong = file.verified.length;
  return el("div.file", {},
    el("a.button.main", { href: `/made/${file.address}`, download: file.name, id: "save" }, `${word("save")} ${file.name}`),
    el("p", {}, word("counts", { card: file.counts.card ?? 0, picture: file.counts.picture ?? 0, size: size(file.size) }), " · ",
      el(`span.state.${wrong ? "illegal" : "legal"}`, {}, wrong ? word("verified_not", { count: wrong }) : word("verified"))),
    el("p.now", {}, word("what_now")),
    wrong ? el("ul.inner", {}, ...file.verified.map((problem) => problemItem(problem))) : null);
}

const making = new Making("room", said, () => showMaking());

async function make() {
  await making.make();
  byId("save")?.focus();
}

/** The room that most people want first: the smallest in which somebody sits. */
const usual = () => data.rooms.filter((room) => room.seats.some(takes)).sort((one, other) => one.seats.length - other.seats.length)[0] ?? data.rooms[0];

async function load() {
  const found = await ask(api("rooms"));
  if (!found.rooms?.length) return showProblems(byId("problems"), found.problems);
  data = found;
  if (!plan()) wish.room = usual().id;
  return undefined;
}

await load();
if (!data) reopen();
else {
  byId("view").append(waiting);
  readAddress();
  showChoices();
  showMaking("");
  lay();
  addEventListener("hashchange", () => { readAddress(); showChoices(); lay(); });
  byId("view").addEventListener("dragover", (event) => event.preventDefault());
  byId("view").addEventListener("drop", (event) => take(event));
  watch(async (event) => {
    if (event.what === "faces") lay();
    if (event.what !== "data") return;
    await load();
    showChoices();
    lay();
    toast(word("changed"));
  });
}
