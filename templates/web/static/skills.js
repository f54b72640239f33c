// Who sits in a mech, and their skills, chosen as cards are.

import { button, el, openSheet, word } from "./base.js";
import { Stock } from "./stock.js";

/** The pilots of a draft; `put` takes them as they are to be, `sheet` is a dialog to choose in. */
export function pilotsShown(data, pilots, put, sheet) {
  if (!data.skills.length) return null;
  const known = new Map(data.skills.map((one) => [one.name, one]));
  const change = (number, more) => put(pilots.map((one, at) => (at === number ? { ...one, ...more } : one)));
  return el("fieldset.pilots", {}, el("legend", {}, word("pilots")),
    ...pilots.map((pilot, number) => el("div.pilot", {},
      el("div.row", {}, el("input", { type: "text", value: pilot.name, placeholder: word("pilot_name"), "aria-label": word("pilot_name"), maxlength: "60", onchange: (event) => change(number, { name: event.target.value }) }),
        button("×", () => put(pilots.filter((_, at) => at !== number)), { class: "plain", "aria-label": `${word("slot_remove")} ${pilot.name}` })),
      el("ul", {}, ...pilot.skills.map((skill, index) => el("li.skill", {}, el("span", { title: known.get(skill)?.fields.effect ?? null }, skill),
        button("×", () => change(number, { skills: pilot.skills.filter((_, at) => at !== index) }), { class: "plain", "aria-label": `${word("slot_remove")} ${skill}` })))),
      button(word("skill_add"), () => choose(data, pilot, sheet, (card) => change(number, { skills: [...pilot.skills, card.name] })), { class: "plain", "data-focus": `skill ${number}` }))),
    button(word("pilot_add"), () => put([...pilots, { name: "", skills: [] }]), { class: "plain" }));
}

/** All skills in a dialog, searched and filtered; the one that is clicked is taken. */
function choose(data, pilot, sheet, take) {
  const place = el("div.stock-in-sheet");
  const stock = new Stock(place, { choose: (card) => { sheet.close(); take(card); }, drag: (_card, event) => event.preventDefault(), dragEnd: () => {} }, { fits: false, id: "skill-search" });
  const kinds = new Set(data.skills.map((card) => card.kind));
  stock.show({ list: data.skills, kinds: data.kinds.filter((kind) => kinds.has(kind.id)), boxes: data.boxes });
  openSheet(sheet, pilot.name ? word("skill_pick", { pilot: pilot.name }) : word("skill_add"), place);
  place.querySelector("input").focus();
}
