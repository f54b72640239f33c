// The cards that can be mounted: searched, filtered, each with its face.

import { api, ask, caption, el, fill, isNarrow, picture, plain, word } from "./base.js";
import { pictured } from "./pictures.js";

/** Fields whose values are few enough to choose from. */
function filtersOf(data) {
  const kinds = new Set(data.list.map((card) => card.kind));
  const labels = Object.assign({}, ...data.kinds.filter((kind) => kinds.has(kind.id)).map((kind) => kind.fields));
  if (data.boxes.length > 1) labels.edition = word("boxes");
  return Object.entries(labels)
    .map(([field, label]) => [field, label, [...new Set(data.list.flatMap((card) => (card.fields[field] ?? "").split("/")).filter(Boolean))]])
    .filter(([, , values]) => values.length > 1 && values.length <= 24 && values.every((value) => value.length < 12));
}

export class Stock {
  constructor(parent, acts, { fits = true, id = "search" } = {}) {
    Object.assign(this, { parent, acts, asksFits: fits, pool: null, counts: new Map(), chosen: {}, text: "", fits: null, only: false, tiles: new Map(), part: "" });
    this.search = el("input", { type: "search", id, placeholder: word("search_hint"), "aria-label": word("search"), autocomplete: "off", spellcheck: "false", oninput: () => { this.text = this.search.value; this.list(); } });
    this.filters = el("div.stock-filters");
    this.waiting = el("p.waits", { role: "status" });
    this.count = el("p.count", { role: "status" });
    this.grid = el("div.grid.small");
    fill(parent, this.search, this.waiting, this.filters, this.count, this.grid);
  }

  show(data) {
    this.data = data;
    for (const card of data.list) card.hay = plain([card.id, card.name, ...Object.values(card.fields)].join("\n"));
    const only = el("label.check", {}, el("input", { type: "checkbox", id: "only-fits", checked: this.only, onchange: (event) => { this.only = event.target.checked; this.refit(); } }), el("span", {}, word("only_fits")));
    fill(this.filters, this.asksFits ? only : null, ...filtersOf(data).map(([field, label, values]) => {
      const shown = field === "edition" ? Object.fromEntries(data.boxes.map((box) => [box.id, box.name])) : {};
      return el("select", { "aria-label": label, onchange: (event) => { this.chosen[field] = event.target.value; this.list(); } },
        el("option", { value: "" }, label), ...values.map((value) => el("option", { value, selected: this.chosen[field] === value }, shown[value] ?? value)));
    }));
    this.tiles.clear();
    this.list();
  }

  /** Only these cards, by id. */
  among(ids) {
    this.pool = ids;
    this.list();
  }

  /** How many of each card are taken, shown on it. */
  counted(counts) {
    for (const id of new Set([...this.counts.keys(), ...counts.keys()])) {
      const tile = this.tiles.get(id);
      if (tile) this.badge(tile, counts.get(id));
    }
    this.counts = counts;
  }

  badge(tile, count) {
    if (count) tile.dataset.count = count;
    else delete tile.dataset.count;
  }

  /** The part that the next card goes to. */
  waits(part, label = part) {
    this.part = part;
    fill(this.waiting, part ? word("slot_pick", { part: label }) : null, part ? el("button.plain", { type: "button", onclick: () => this.acts.unwait() }, "×") : null);
    this.waiting.classList.toggle("on", Boolean(part));
    this.list();
    if (part && isNarrow()) this.parent.scrollIntoView();
  }

  /** The draft is another one: what fits may be too. */
  changed(request) {
    this.request = request;
    this.refit();
  }

  async refit() {
    this.asking?.abort();
    if (!this.only) {
      this.fits = null;
      return this.list();
    }
    this.asking = new AbortController();
    try {
      this.fits = await ask(api("fits"), this.request, this.asking.signal);
    } catch {
      return undefined;
    }
    return this.list();
  }

  isShown(card) {
    if (this.pool && !this.pool.has(card.id)) return false;
    for (const [field, value] of Object.entries(this.chosen)) {
      if (value && !(card.fields[field] ?? "").split("/").includes(value)) return false;
    }
    if (this.only && this.fits) {
      const parts = this.fits[card.id] ?? [];
      if (!(this.part ? parts.includes(this.part) : parts.length)) return false;
    }
    return plain(this.text).split(/\s+/).every((word_) => card.hay.includes(word_));
  }

  tile(card) {
    if (!this.tiles.has(card.id)) {
      const tile = el("button.card", { type: "button", draggable: "true", "data-card": card.id, title: Object.values(card.fields).join("\n").slice(0, 400), onclick: () => this.acts.choose(card), onkeydown: (event) => this.acts.key?.(card, event),
        ondragstart: (event) => this.acts.drag(card, event), ondragend: () => this.acts.dragEnd() },
        card.front ? pictured("img.face", picture(card.front), { draggable: "false" }) : el("span.face.noface", {}, word("no_face")),
        caption(card));
      tile.querySelector(".face").style.aspectRatio = card.ratio;
      this.badge(tile, this.counts.get(card.id));
      this.tiles.set(card.id, tile);
    }
    return this.tiles.get(card.id);
  }

  list() {
    if (!this.data) return;
    const shown = this.data.list.filter((card) => this.isShown(card));
    const all = this.data.list.length;
    fill(this.count, shown.length === all ? word("found_all", { all }) : word("found", { shown: shown.length, all }));
    const tiles = shown.map((card) => this.tile(card));
    const same = tiles.length === this.grid.children.length && tiles.every((tile, index) => tile === this.grid.children[index]);
    if (!same) this.grid.replaceChildren(...tiles);
  }
}
