// What the server makes for a page: how far it is, then what was made, or what is wrong.

import { api, button, byId, el, follow, showProblems, toast, word } from "./base.js";

export class Making {
  /** Makes `what` of the order that `order()` gives; `show()` shows how far it is, and what was made. */
  constructor(what, order, show) {
    Object.assign(this, { what, order, show, working: null, made: null, asked: null });
  }

  /** Something else was chosen: what was made is not that, nor what is being made. */
  forget() {
    this.made = this.asked = null;
  }

  /** What was made; nothing where it could not be, or is not wanted any more. */
  async make() {
    const asked = this.order();
    Object.assign(this, { asked, made: null, working: { done: 0, total: 0 } });
    this.show();
    try {
      for await (const line of follow(api(this.what), asked)) {
        if (line.total !== undefined) this.working = line;
        if (line.made && this.asked === asked) this.made = line.made;
        if (line.problems) showProblems(byId("problems"), line.problems);
        if (line.broken) toast(word("failed"));
        this.show();
      }
    } finally {
      this.working = null;
      this.show();
    }
    return this.made;
  }

  /** The button that begins, or how far it is in the words that `progress` makes of `{done, total}`. */
  control(text, begin, progress, more = {}) {
    if (!this.working) return button(text, begin, { class: "main", id: "make", ...more });
    const { done, total } = this.working;
    const label = total ? progress(this.working) : word("planning");
    return el("div.progress", {}, el("progress", { max: total || null, value: total ? done : null, "aria-label": label }), el("span", {}, label));
  }
}
