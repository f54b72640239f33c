// Drafts of builds and of decks, kept in this browser for each game, with what was undone.

import { el, facts, word } from "./base.js";

const keyOf = (sort) => `${sort}/${facts.game}`;
const MOST = 200; // steps that can be undone
export let isKept = true;

export const empty = () => ({ name: "", frame: {}, mounted: {}, decks: {}, pilots: [], regulation: "", waivers: [], picture: "", label: "", note: "" });

/** Only what a draft has, each of the right sort: what was kept or handed over may be anything. */
export function sound(value) {
  const text = (one) => (typeof one === "string" ? one.slice(0, 200) : "");
  const texts = (many) => (Array.isArray(many) ? many.filter((one) => typeof one === "string").map(text).slice(0, 200) : []);
  const map = (one, work) => Object.fromEntries(Object.entries(one && typeof one === "object" ? one : {}).slice(0, 50).map(([key, inner]) => [key, work(inner)]));
  const list = (many, work) => (Array.isArray(many) ? many.filter((one) => one && typeof one === "object").map(work).slice(0, 20) : []);
  return {
    name: text(value?.name), frame: map(value?.frame, text), mounted: map(value?.mounted, texts),
    decks: map(value?.decks, (deck) => Object.fromEntries(Object.entries(deck && typeof deck === "object" ? deck : {}).filter(([, count]) => Number.isInteger(count) && count > 0 && count < 10000).slice(0, 1000))),
    pilots: list(value?.pilots, (one) => ({ name: text(one.name), skills: texts(one.skills) })),
    regulation: text(value?.regulation), waivers: list(value?.waivers, (one) => ({ rule: text(one.rule), reason: text(one.reason) })),
    picture: text(value?.picture),
    label: text(value?.label), note: typeof value?.note === "string" ? value.note.slice(0, 2000) : "",
  };
}

/** Whether two drafts are the same, whatever is empty in them. */
export function alike(one, other) {
  const content = (draft) => JSON.stringify({ ...draft, mounted: Object.entries(draft.mounted).filter(([, cards]) => cards.length).sort(), frame: Object.entries(draft.frame).sort(), note: draft.note.trim() });
  return content(one) === content(other);
}

/** Drafts with names that tell them apart, as a file of several needs. */
export function named(drafts) {
  const names = new Set();
  return drafts.map((draft) => {
    const base = draft.name || word("draft_nameless");
    let name = base;
    for (let number = 2; names.has(name); number += 1) name = `${base} ${number}`;
    names.add(name);
    return { ...draft, name };
  });
}

/** What somebody is called: a draft, or a printed mech by its code and loadout. */
export function nameOf(data, who) {
  if (typeof who !== "string") return who.name || word("draft_nameless");
  const [code, variant] = who.split(":");
  const mech = data.mechs.find((one) => one.code === code);
  const loadout = mech?.variants.find((one) => one.id === variant);
  return mech ? [mech.name, mech.variants.length > 1 ? loadout?.name : ""].filter(Boolean).join(" ") : who;
}

/** Options for drafts, `own 0` and so on, and for printed mechs; `taken` is chosen. */
export function whoOptions(data, own, taken) {
  const isTaken = (draft) => Boolean(taken) && typeof taken !== "string" && JSON.stringify(draft) === JSON.stringify(taken);
  return [
    own.length ? el("optgroup", { label: word("own_builds") }, ...own.map((draft, index) => el("option", { value: `own ${index}`, selected: isTaken(draft) }, nameOf(data, draft)))) : null,
    data.mechs.length ? el("optgroup", { label: word("printed") }, ...data.mechs.flatMap((mech) => mech.variants.map((variant) => {
      const value = `${mech.code}:${variant.id}`;
      return el("option", { value, selected: taken === value }, nameOf(data, value));
    }))) : null];
}

/** The drafts of both sorts that a game can have. */
export const ownDrafts = (data) => [...(data.frames ? all() : []), ...(data.has.decks ? all("decks") : [])].map((one) => one.draft);

/** The draft that an address names by `key`, as the page of drafts hands one on. */
export function handedDraft(keys) {
  const found = /^#(\w+)=(\w+)$/.exec(location.hash);
  if (!found || !keys.includes(found[1])) return null;
  return all(found[1] === "deck" ? "decks" : "drafts").find((one) => one.id === found[2])?.draft ?? null;
}

/** The boxes that somebody owns, of those that a game has; none are all. */
export function ownedBoxes(boxes) {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf("boxes")) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => boxes.some((box) => box.id === id)) : [];
  } catch {
    return [];
  }
}

export const keepBoxes = (ids) => localStorage.setItem(keyOf("boxes"), JSON.stringify(ids));

/** All drafts, newest change first: `{id, draft, past, future}`. */
export function all(sort = "drafts") {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(sort)) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string").map((one) => ({ id: one.id, draft: sound(one.draft), past: one.past ?? [], future: one.future ?? [] })) : [];
  } catch {
    return [];
  }
}

function keep(sort, drafts) {
  try {
    localStorage.setItem(keyOf(sort), JSON.stringify(drafts));
    isKept = true;
  } catch {
    try { // it may be full of what was undone
      localStorage.setItem(keyOf(sort), JSON.stringify(drafts.map((one) => ({ ...one, past: one.past.slice(-5), future: [] }))));
      isKept = true;
    } catch {
      isKept = false;
    }
  }
}

/** The drafts of this page; other windows with the same game are heard. */
export class Drafts {
  constructor(changed, sort = "drafts") {
    Object.assign(this, { changed, sort });
    this.list = all(sort);
    this.current = this.list[0]?.id ?? "";
    addEventListener("storage", (event) => {
      if (event.key !== keyOf(sort)) return;
      this.list = all(sort);
      if (!this.list.some((one) => one.id === this.current)) this.current = this.list[0]?.id ?? "";
      this.changed("elsewhere");
    });
  }

  get one() {
    return this.list.find((each) => each.id === this.current);
  }

  get draft() {
    return this.one?.draft ?? empty();
  }

  /** Put a draft in the place of what it was; what it was can be had back. */
  change(draft) {
    const one = this.one;
    if (!one) return this.add(draft);
    if (JSON.stringify(one.draft) === JSON.stringify(draft)) return undefined;
    one.past = [...one.past.slice(-MOST + 1), one.draft];
    one.future = [];
    one.draft = draft;
    return this.keep();
  }

  undo() {
    const one = this.one;
    if (!one?.past.length) return;
    one.future = [one.draft, ...one.future];
    one.draft = sound(one.past.pop());
    this.keep();
  }

  redo() {
    const one = this.one;
    if (!one?.future.length) return;
    one.past = [...one.past, one.draft];
    one.draft = sound(one.future.shift());
    this.keep();
  }

  add(draft) {
    const id = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");
    const names = new Set(this.list.map((one) => one.draft.name));
    let name = draft.name || word(this.sort === "decks" ? "deck_first" : "draft_first");
    const base = name.replace(/ \d+$/, "");
    for (let number = 2; names.has(name); number += 1) name = `${base} ${number}`;
    this.list = [{ id, draft: { ...draft, name }, past: [], future: [] }, ...this.list];
    this.current = id;
    return this.keep();
  }

  remove(id) {
    const at = this.list.findIndex((one) => one.id === id);
    const [gone] = this.list.splice(at, 1);
    if (this.current === id) this.current = this.list[Math.min(at, this.list.length - 1)]?.id ?? "";
    this.keep();
    return () => {
      this.list.splice(at, 0, gone);
      this.current = gone.id;
      this.keep();
    };
  }

  choose(id) {
    this.current = id;
    this.changed("chosen");
  }

  keep() {
    keep(this.sort, this.list);
    this.changed("kept");
  }
}
