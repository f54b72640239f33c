// What all pages share: their facts and words, building elements, asking the server, problems.

export const facts = JSON.parse(document.body.dataset.facts);
const language = facts.language;

/** A word of the page, its blanks filled; `{count:file|files}` is `1 file` or `2 files`. */
export function word(key, values = {}) {
  const text = facts.words[key] ?? key;
  return text.replace(/\{([a-z_]+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    (one === undefined ? values[name] ?? "" : `${values[name]} ${Number(values[name]) === 1 ? one : many}`));
}

/** An element: attributes, `on` handlers and properties of `set`, then its children. */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const found = document.createElement(tag || "div");
  if (classes.length) found.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) found.addEventListener(key.slice(2), value);
    else if (key === "set") Object.assign(found, value);
    else found.setAttribute(key, value === true ? "" : value);
  }
  found.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return found;
}

export const button = (text, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, text);

/** Whether what is chosen and where it goes are not in sight together. */
export const isNarrow = () => matchMedia("(max-width: 52rem)").matches;

/** What a card is called and, where that is something else, its id. */
export const caption = (card) => el("span.caption", {}, el("span.name", {}, card.name), card.id === card.name ? null : el("span.id", {}, card.id));

export const byId = (id) => document.getElementById(id);

/** Put children in the place of what an element holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

/** Something was changed: the verdict on the page is of what was there before. */
export const outdate = (parent) => parent?.querySelectorAll(".state").forEach((one) => {
  one.className = "state waiting";
  one.textContent = word("judging");
});

/** Let an element hold what `make` gives, unless it holds that already: what was made of the same state. */
export function refill(parent, state, make) {
  const text = JSON.stringify(state);
  if (states.get(parent) !== text) fill(parent, make());
  states.set(parent, text);
}
const states = new WeakMap(); // by element, the state that it shows

/** The answer of the server; a refusal has its `problems`. A file is sent as it is. */
export async function ask(path, body, signal) {
  const address = `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;
  const options = body === undefined ? { signal } : { method: "POST", body: body instanceof Blob ? body : JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    toast(word("failed"));
    throw error;
  }
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    return { ...(await response.json()), ok: response.ok };
  }
  const why = (await response.text()).trim();
  toast(word("refused", { why }));
  throw new Error(why);
}

export const api = (what) => `/api/${encodeURIComponent(facts.game)}/${what}`;

/** Each line of a long answer as it comes. */
export async function* follow(path, body, signal) {
  const response = await fetch(`${path}?lang=${language}`, { method: "POST", body: JSON.stringify(body), signal });
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-ndjson")) {
    if (type.startsWith("application/json")) yield await response.json();
    else toast(word("refused", { why: (await response.text()).trim() }));
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** A switch with its words. */
export const check = (text, checked, changed, more = {}) =>
  el("label.check", {}, el("input", { type: "checkbox", checked, onchange: (event) => changed(event.target.checked), ...more }), el("span", {}, text));

/** Switches for the boxes that somebody owns, none where there is but one. A box needs those that it builds
 * on; those that build on it go with it. No box chosen is all of them. */
export function boxChoices(boxes, owned, changed) {
  if (boxes.length < 2) return null;
  const own = (box, has) => {
    const now = new Set(owned.length ? owned : boxes.map((one) => one.id));
    const put = (id) => { now.add(id); boxes.find((one) => one.id === id)?.requires.forEach(put); };
    const drop = (id) => { now.delete(id); boxes.filter((one) => one.requires.includes(id)).forEach((one) => now.has(one.id) && drop(one.id)); };
    if (has) put(box.id);
    else drop(box.id);
    changed(now.size === boxes.length ? [] : boxes.map((one) => one.id).filter((id) => now.has(id)));
  };
  return el("fieldset.boxes", {}, el("legend", {}, word("boxes")),
    ...boxes.map((box) => check(box.name, !owned.length || owned.includes(box.id), (has) => own(box, has))));
}

/** Several names in one line. */
export const listed = (names) => names.join(language === "ja" ? "・" : ", ");

/** A choice of one of `words`, each called by `names`. */
export function chooser(label, words, value, chosen, names = {}, more = {}) {
  return el("label", {}, el("span.label", {}, label),
    el("select", { onchange: (event) => chosen(event.target.value), ...more },
      value && !words.includes(value) ? el("option", { value, selected: true }, value) : null,
      value ? null : el("option", { value: "" }, "—"),
      ...words.map((one) => el("option", { value: one, selected: one === value }, names[one] ?? one))));
}

/** The regulation that a draft is judged by, where there are several. */
export function regulationChoice(regulations, chosen, change) {
  if (regulations.length < 2) return null;
  const usual = regulations.find((one) => one.default)?.id;
  return chooser(word("regulation"), regulations.map((one) => one.id), chosen || usual, (value) => change({ regulation: value === usual ? "" : value }),
    Object.fromEntries(regulations.map((one) => [one.id, one.title])));
}

/** A button that takes a file, with words that say what for. */
export const fileButton = (text, accept, taken, more = {}) => el("label.button.file-button", {}, text,
  el("input", { type: "file", accept, onchange: async (event) => { await taken([...event.target.files]); event.target.value = ""; }, ...more }));

/** Listen to the server: how often it has read each game (`stamps`) at first, and then its events; `lost` when it is gone. A browser has six connections to an address, and this one stays open:
 * all its windows share that of one of them, which holds a lock, and whoever comes next takes it over. */
function listen(receive) {
  const channel = new BroadcastChannel("events");
  let source = null;
  let stamps = null;
  const pass = (message) => {
    receive(message);
    channel.postMessage(message);
  };
  const open = () => new Promise((release) => {
    source = new EventSource("/events");
    source.onerror = () => pass({ lost: true });
    source.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.stamps) stamps = event.stamps;
      else stamps[event.game] = event.stamp;
      pass(event.stamps ? { stamps } : { event });
    };
    addEventListener("pagehide", () => {
      source.close();
      release();
    });
  });
  channel.onmessage = ({ data }) => {
    if (data.isQuestion) {
      if (stamps && source.readyState === EventSource.OPEN) channel.postMessage({ stamps });
    } else receive(data);
  };
  channel.postMessage({ isQuestion: true });
  if (navigator.locks) navigator.locks.request("events", open);
  else open(); // at an address that is not this machine's browsers have no locks
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}

/** Call `changed` when the data of this game were saved, since this page was written, too, or come back after a pause. */
export function watch(changed) {
  const live = byId("live");
  let known = facts.stamp;
  listen(({ stamps, lost, event }) => {
    if (event) {
      if (facts.game && event.game !== facts.game) return;
      known = event.stamp;
      changed(event);
      return;
    }
    if (lost) known = null; // whatever is read until it comes back is news
    else if (stamps[facts.game] !== known) {
      known = stamps[facts.game];
      changed({ what: "data" });
    }
    fill(live, word(lost ? "live_off" : "live_on"));
    live.classList.toggle("off", Boolean(lost));
  });
}

/** A page that has nothing to show yet begins anew when something was saved. */
export const reopen = () => watch((event) => { if (event.what === "data") location.reload(); });

/** A line at the edge of the window that goes by itself; with something to click, later. */
export function toast(text, action) {
  const line = el("p.toast", {}, text, action ?? null);
  byId("toasts").append(line);
  setTimeout(() => line.remove(), action ? 12000 : 5000);
  return line;
}

export const picture = (key) => (!key || key.startsWith("/") ? key : `/faces/${key}`);

/** Open a place of the data in an editor of this machine. */
export async function openPlace(file, line, place) {
  const { opened } = await ask(api("open"), { file, line: line ?? 0 });
  toast(opened ? word("opened", { place }) : word("not_opened"));
}

/** A problem: where, what, what to do, and on whose word. */
export function problemItem(problem, { place = true } = {}) {
  const isFile = place && problem.place && problem.file && problem.file !== "command line" && problem.file !== "draft";
  return el(
    `li.problem.${problem.severity}`, {},
    el("span.weight", {}, word(problem.severity)), " ",
    el("span.message", {}, problem.message), " ",
    problem.hint ? el("span.hint", {}, problem.hint) : null,
    el("span.origin", {},
      isFile ? button(problem.place, () => openPlace(problem.file, problem.line, problem.place), { class: "place" }) : null,
      el("span.rule", { title: problem.title || null }, problem.rule),
      ...(problem.sources ?? []).map((source) => el("cite", { title: word("source") }, source)),
    ),
  );
}

/** The list of problems of a page; nothing where there are none. */
export function showProblems(parent, problems) {
  if (!problems?.length) return fill(parent);
  const list = el("ul", {}, ...problems.slice(0, 200).map((problem) => problemItem(problem)));
  const open = problems.some((problem) => problem.severity === "error");
  return fill(parent, el("details", { open }, el("summary", {}, word("problems", { count: problems.length })), list));
}

/** Letters as they are compared: width, case and kana do not matter. */
export const plain = (text) =>
  text.normalize("NFKC").toLowerCase().replace(/[ぁ-ゖ]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));

/** What a pasted text is read as: builds in YAML, or else a plain list of cards. */
export const pastedAs = (text) => (/^\s*(cards|deck|decks|frame|mounted)\s*:/m.test(text) ? "build.yaml" : "deck.txt");

export function size(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}

/** Let what is dragged within the page, if `dragged` gives anything, be dropped on an element. */
export function takesDrops(box, dragged, drop) {
  box.addEventListener("dragover", (event) => { if (dragged()) { event.preventDefault(); box.classList.add("over"); } });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    if (!dragged()) return;
    event.preventDefault();
    drop(dragged());
  });
}

/** Have the browser save a text as a file. */
export function saveText(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

/** Put a text on the clipboard. At an address that is not this machine's browsers copy only what is selected. */
export async function copy(text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const focus = document.activeElement;
    const area = el("textarea", { set: { value: text } });
    (document.querySelector("dialog[open]") ?? document.body).append(area); // beside a dialog nothing can be selected
    area.select();
    document.execCommand("copy");
    area.remove();
    focus?.focus();
  }
  toast(word("copied"));
}

export const copyButton = (text) => button(word("copy"), () => copy(text));

/** A read-only line with a button that copies it. */
export function copyable(text, label) {
  return el("div.copyable", {}, label ? el("span.label", {}, label) : null, el("code", {}, text), copyButton(text));
}

/** A button that opens a menu: `groups` are `[heading, ...entries]`, an entry `{text, act, id, value}`. */
export function menu(text, id, groups) {
  const item = ({ text: label, act, id: own, value, disabled }) => button(label, () => { show(false); act(); }, { role: "menuitem", tabindex: "-1", id: own, "data-value": value, disabled });
  const opener = button(text, () => show(list.hidden), { id, "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": `${id}-menu` });
  const list = el("div", { id: `${id}-menu`, role: "menu", "aria-label": text, hidden: true },
    ...groups.map(([heading, ...entries]) => el("div", { role: "group", "aria-label": heading || text },
      heading ? el("span.label", { "aria-hidden": "true" }, heading) : null, ...entries.filter(Boolean).map(item))));
  const items = [...list.querySelectorAll("button:not(:disabled)")];
  const rove = (to) => { // one entry at a time can be reached by Tab
    for (const one of items) one.tabIndex = one === to ? 0 : -1;
    to.focus();
  };
  function show(open) {
    list.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) rove(items[0]);
    else opener.focus();
  }
  return el("div.menu", {
    onkeydown: (event) => {
      const at = items.indexOf(document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      if (event.key === "Escape" && !list.hidden) show(false);
      else if (to === undefined) return;
      else if (list.hidden) show(true);
      else rove(items.at(to % items.length));
      event.preventDefault();
    },
    onfocusout: (event) => { if (!list.hidden && !event.currentTarget.contains(event.relatedTarget)) { list.hidden = true; opener.setAttribute("aria-expanded", "false"); } },
  }, opener, list);
}

/** Open a dialog with a heading and a way out. */
export function openSheet(sheet, title, ...children) {
  fill(sheet, el("div.sheet-inner", {}, el("h3", { id: "sheet-title" }, title), ...children, button(word("close"), () => sheet.close(), { class: "sheet-close" })));
  if (!sheet.open) sheet.showModal();
}

/** Show another thing in a dialog; what was in focus is so again, or else a button, that keys are heard. */
export function refillDialog(dialog, ...children) {
  const focus = dialog.open ? document.activeElement?.id : "";
  fill(dialog, ...children);
  if (!dialog.open) dialog.showModal();
  else (byId(focus) ?? dialog.querySelector("button")).focus({ preventScroll: true });
}

/** Wait until nothing was asked for a moment, then do the last thing that was asked. */
export function calmly(work, pause = 120) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), pause);
  };
}
