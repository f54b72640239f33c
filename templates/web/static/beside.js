// What is seen beside a mech while it is constructed: damage, its sheet.

import { api, ask, byId, calmly, el, fill, picture, refill, word } from "./base.js";
import { damageChart } from "./chart.js";
import { pictured, repicture } from "./pictures.js";

/** What each weapon does at each distance, in one situation, and all of it together. */
function damageTable(found, mounted, situation, choose) {
  const one = found.damage[situation];
  const sums = one.sums[0];
  const furthest = Math.max(0, ...found.damage.flatMap((each) => each.sums[0].map((sum, at) => (sum ? at : 0))));
  const distances = Array.from({ length: furthest + 1 }, (_, at) => at);
  const row = (name, does, kind) => el(`tr${kind}`, {}, el("th", { scope: "row" }, name), ...distances.map((at) => el(`td${does[at] ? "" : ".none"}`, {}, String(does[at]))));
  return [
    found.damage.length > 1 ? el("label", {}, el("span.label", {}, word("damage_when")), el("select", { id: "damage-when", onchange: (event) => choose(event.target.selectedIndex) },
      ...found.damage.map((each, at) => el("option", { selected: at === situation }, each.situation)))) : null,
    el("div.scrolled", { tabindex: "0", role: "group", "aria-label": word("damage_table") }, el("table", { id: "damage-table" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("damage_weapon")), ...distances.map((at) => el("th", { scope: "col" }, String(at))))),
      el("tbody", {}, ...one.each[0].filter((card) => card.does.some(Boolean)).map((card) => row(mounted(card) > 1 ? `${card.name} ×${mounted(card)}` : card.name, card.does, "")),
        row(word("damage_sum"), sums, ".sum")))),
  ];
}

/** Damage by distance, as a picture and as a table, a moment after the last change. */
export class Damage {
  /** `mounted(card)` says how many copies of a card there are. */
  constructor(mounted) {
    Object.assign(this, { mounted, situation: 0, found: null });
    this.chart = el("div");
    this.table = el("div");
    this.more = el("details.more", { hidden: true }, el("summary", { id: "damage-open" }, word("damage_table")), this.table);
    this.element = el("div", {}, this.chart, this.more);
  }

  of = calmly(async (draft) => {
    const found = await ask(api("damage"), { drafts: [draft] });
    const chart = found.ok ? damageChart(found) : null;
    this.found = chart && found;
    fill(this.chart, chart);
    this.show();
  }, 150);

  show() {
    this.more.hidden = !this.found;
    if (!this.found) return;
    this.situation = Math.min(this.situation, this.found.damage.length - 1);
    fill(this.table, damageTable(this.found, this.mounted, this.situation, (at) => { this.situation = at; this.show(); byId("damage-when").focus(); }));
  }
}

/** The sheet of a mech, painted anew after each change while it is open. */
export class Sheet {
  constructor() {
    this.place = el("div");
    this.element = el("details.sheet-beside", { ontoggle: () => this.ask() }, el("summary", { id: "sheet-open" }, word("sheet_beside")), this.place);
    this.later = calmly(() => this.ask(), 150);
  }

  of(draft) {
    this.draft = draft;
    this.later();
  }

  async ask() {
    if (!this.element.open) return;
    const { draft } = this;
    const { front, ratio } = await ask(api("sheet"), { draft });
    if (draft !== this.draft) return;
    const alt = word("sheet_alt", { name: draft.name });
    refill(this.place, Boolean(front), () => (front ? [pictured("img.face", picture(front), { id: "sheet-face" })] : [el("p.remark", {}, word("sheet_none"))]));
    const image = this.place.querySelector("img");
    if (!image) return;
    image.alt = alt;
    image.style.aspectRatio = ratio;
    repicture(image, picture(front));
  }
}
