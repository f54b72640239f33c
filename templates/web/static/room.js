// A room put together: what is chosen at the left, the table as it will be, the zip below it.

import { api, ask, boxChoices, button, byId, calmly, copyable, el, fileButton, fill, listed, outdate, pastedAs, problemItem, reopen, showProblems, size, toast, watch, word } from "./base.js";
import { boardChoosers } from "./boards.js";
import { handedDraft, nameOf, ownDrafts, sound, whoOptions } from "./drafts.js";
import { Making } from "./making.js";
import { handAgain, handOver, isPicture, showOwn } from "./pawns.js";
import { TableView, describing, viewButtons } from "./table.js";

let data = null;
let seats = {}; // what the server answered of builds, by seat
const BUILDS = ".yaml,.yml,.csv,.tsv,.txt,.png,.jpg,.jpeg,.webp,.svg";
const NOTHING = { mechs: {}, pictures: {}, boards: [], boxes: [], shuffle: "" };
let choices = { room: "", ...NOTHING };
let builds = []; // builds that were dropped, pasted, or are in a link

const view = new TableView(byId("view"), describing(byId("view"), byId("hover")));
fill(byId("views"), ...viewButtons(view));

const plan = () => data.rooms.find((room) => room.id === choices.room);
/** Whether somebody can sit at a seat with a build or a deck of their own. */
const takes = (seat_) => Boolean(seat_.mech) || data.has.decks;

const order = () => ({ ...choices, mechs: Object.fromEntries(Object.entries(choices.mechs).filter(([, one]) => one)) });

/** A choice in the address: everything that was chosen, the builds too. */
function writeAddress() {
  const { room, ...rest } = order();
  const changes = Object.entries(rest).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(NOTHING[key]));
  history.replaceState(null, "", `#${room}${changes.length ? `=${encodeURIComponent(JSON.stringify(Object.fromEntries(changes)))}` : ""}`);
}

function readAddress() {
  const draft = handedDraft(["seat", "deck"]);
  if (draft) {
    builds = [draft];
    const [first] = plan().seats.filter(takes);
    if (first) choices.mechs = { [first.id]: draft };
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
  choices = { room, mechs: Object.fromEntries(mechs), pictures: Object.fromEntries(pictures), boards: texts(found.boards), boxes: texts(found.boxes), shuffle: typeof found.shuffle === "string" ? found.shuffle : "" };
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
    found = await ask(api("table"), order(), asking.signal);
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
  change({ pictures: Object.fromEntries(Object.entries(choices.pictures).filter(([, one]) => !lost.includes(one.key))) });
}

function change(more) {
  choices = { ...choices, ...more };
  making.forget();
  lay();
}

function seatChooser(seat) {
  const own = [...new Map([...builds, ...ownDrafts(data)].map((draft) => [JSON.stringify(draft), draft])).values()];
  return el("select", {
    id: `seat-${seat.id}`,
    onchange: (event) => {
      const { value } = event.target;
      sit(seat.id, value.startsWith("own ") ? own[Number(value.slice(4))] : value);
    },
  }, el("option", { value: "" }, seat.mech ? nameOf(data, seat.mech) : "—"), ...whoOptions(data, own, choices.mechs[seat.id]));
}

function sit(seat, who) {
  const mechs = { ...choices.mechs };
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
    const who = choices.mechs[seat.id] || seat.mech;
    if (typeof who === "string" && who) names.set(who.split(":")[0], [...(names.get(who.split(":")[0]) ?? []), seat.name]);
  }
  const twice = [...names.values()].filter((many) => many.length > 1);
  fill(place, ...chosen.seats.map((seat) => {
    const verdict = seats[seat.id];
    const state = verdict && (verdict.legal === null ? "unknown" : verdict.legal ? "legal" : "illegal");
    const team = seat.team && (["red", "blue", "green", "yellow"].includes(seat.team) ? seat.team : "other");
    const line = el(`li.seat${team ? `.team-${team}` : ""}`, {},
      el("div.seat-head", {}, el("label", { for: `seat-${seat.id}` }, seat.name || seat.id),
        state ? el(`span.state.${state}`, {}, word(`seat_${state}`, { count: verdict.problems.length })) : null),
      takes(seat) || choices.mechs[seat.id] ? seatChooser(seat) : el("span.fixed", {}, "—"),
      el("div.seat-files", {},
        takes(seat) ? fileButton(word("seat_file"), BUILDS, (files) => takeFiles(files, seat.id), { id: `file-${seat.id}`, multiple: true, "aria-label": `${word("seat_file")}: ${seat.name || seat.id}` }) : null,
        seat.pawn ? pawnChooser(seat) : null),
      verdict?.problems.length ? el("ul.inner", {}, ...verdict.problems.map((problem) => problemItem(problem, { place: false }))) : null);
    line.addEventListener("dragover", (event) => { event.preventDefault(); line.classList.add("over"); });
    line.addEventListener("dragleave", () => line.classList.remove("over"));
    line.addEventListener("drop", (event) => { line.classList.remove("over"); take(event, seat.id); });
    return line;
  }));
  fill(byId("twice"), ...twice.map((many) => el("p.remark", {}, word("seat_twice", { names: listed(many) }))));
  if (focus) byId(focus)?.focus({ preventScroll: true });
}

/** What stands in a seat: a picture of somebody's own, or else the game's. */
function pawnChooser(seat) {
  const own = choices.pictures[seat.id];
  const name = seat.name || seat.id;
  const thumb = own ? el("img", { alt: "" }) : null;
  if (own) showOwn(thumb, own.key);
  return el("span.pawn", {},
    fileButton([thumb, own ? own.name : word("picture_own")], "image/png,image/jpeg,image/webp,image/svg+xml", ([file]) => stand(seat.id, file), { id: `pawn-${seat.id}`, "aria-label": `${word("picture_own")}: ${name}` }),
    own ? button("×", () => unstand(seat.id), { class: "plain", "aria-label": `${word("picture_drop")}: ${name}` }) : null);
}

async function stand(seat, file) {
  const one = file && (await handOver(file));
  if (!one) return;
  change({ pictures: { ...choices.pictures, [seat]: one } });
  showSeats();
}

function unstand(seat) {
  const { [seat]: _, ...rest } = choices.pictures;
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
  const mechs = { ...choices.mechs };
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
  if (files.length) return takeFiles(files, place);
  return seat(await read(event.dataTransfer.getData("text"), ""), place);
}

/** Files of builds, with the pictures that they name beside them; or a picture alone, for a pawn. */
async function takeFiles(files, place) {
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  if (pictures.length && !others.length) {
    const to = place || plan().seats.find((one) => one.pawn && !choices.pictures[one.id])?.id;
    return to ? stand(to, pictures[0]) : toast(word("picture_nowhere"));
  }
  const found = [];
  for (const file of others) found.push(...(await read(await file.text(), file.name, pictures.map((one) => one.name))));
  return seat(found, place, pictures);
}

/** How many play in a room; nothing where its name says so. */
function playersOf(room) {
  const many = word("players", { players: [...new Set(room.players)].join("–") });
  return room.name.includes(many) ? "" : many;
}

function showChoices() {
  const chosen = plan();
  const boardName = (id) => data.boards.find((board) => board.id === id.split("@")[0])?.name ?? id;
  const roomItem = (room) => el("button.room-item", { type: "button", "aria-pressed": String(room.id === choices.room), onclick: () => { change({ room: room.id, mechs: {}, pictures: {}, boards: [] }); showChoices(); view.camera = null; } },
    el("strong", {}, room.name), el("span", {}, [playersOf(room), room.boards.map(boardName).join("＋")].filter(Boolean).join(" · ")));
  const seated = chosen.seats.some(takes);
  const paste = el("textarea", { id: "paste", rows: "2", placeholder: word("from_file"), "aria-label": word("paste_here"), spellcheck: "false",
    oninput: calmly(async () => {
      const text = paste.value.trim();
      if (!text) return;
      const found = await read(text, "");
      if (found.length) paste.value = "";
      await seat(found);
    }, 250) });
  const boards = choices.boards.length ? choices.boards : chosen.boards;
  fill(byId("choices"),
    el("fieldset", {}, el("legend", {}, word("room")), el("div.rooms", {}, ...data.rooms.map(roomItem))),
    chosen.seats.length ? el("fieldset", {}, el("legend", {}, word("seats")), el("ul.seats", { id: "seats" }), el("div", { id: "twice" }), seated && (data.frames || data.has.decks) ? paste : null) : null,
    chosen.boards.length && data.boards.length > 1 ? el("fieldset.boards", {}, el("legend", {}, word("boards")),
      ...boardChoosers(data.boards, boards, choices.boards.length, (next) => { change({ boards: next }); showChoices(); })) : null,
    boxChoices(data.boxes, choices.boxes, (boxes) => { change({ boxes }); showChoices(); }),
    el("label", {}, el("span.label", {}, word("shuffle")), el("input", { type: "text", value: choices.shuffle, placeholder: word("shuffle_hint"), title: word("shuffle_seed"), maxlength: "60", oninput: (event) => change({ shuffle: event.target.value }) })));
  const [list, item] = [".rooms", ".room-item[aria-pressed=true]"].map((one) => byId("choices").querySelector(one));
  if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  showSeats();
}

/** What is made stands at the edge of the window; what there is to know of it below the table. */
function showMaking(command) {
  const more = byId("making-more");
  if (command !== undefined) more.dataset.command = command;
  const { made } = making;
  fill(byId("making"),
    ...(made?.files ?? []).map(result),
    making.control(word(made ? "make_again" : "make_zip"), make, (far) => word(far.done < far.total ? "painting" : "zipping", far), made ? { class: "plain" } : {}));
  fill(more,
    made ? el("p.now", {}, word("what_now")) : null,
    el("ul.inner", {}, ...[...(made?.problems ?? []), ...(made?.files ?? []).flatMap((file) => file.verified)].map((problem) => problemItem(problem))),
    el("details.more", {}, el("summary", {}, word("command")), copyable(more.dataset.command ?? ""), copyable(location.href, word("share_link"))));
}

function result(file) {
  const wrong = file.verified.length;
  return el("div.file", {},
    el("a.button.main", { href: `/made/${file.address}`, download: file.name, id: "save" }, `${word("save")} ${file.name}`),
    el("p", {}, el(`span.state.${wrong ? "illegal" : "legal"}`, {}, wrong ? word("verified_not", { count: wrong }) : word("verified")), " ",
      el("span.count", {}, word("counts", { card: file.counts.card ?? 0, picture: file.counts.picture ?? 0, size: size(file.size) }))));
}

const making = new Making("room", order, () => showMaking());

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
  if (!plan()) choices.room = usual().id;
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
    if (event.what !== "data") return;
    await load();
    showChoices();
    lay();
    toast(word("changed"));
  });
}
