// What the rules say of a draft: whether it is legal, its figures with their terms, what is wrong.

import { button, el, fill, listed, problemItem, word } from "./base.js";

function figure(one) {
  const terms = one.terms.map((term, index) => el("li", { title: listed(term.sources) || null },
    el("span", {}, term.label), el("b", {}, `${term.value < 0 ? "−" : index ? "+" : ""}${Math.abs(term.value)}`)));
  return el("details.figure", {},
    el("summary", {}, el("span.what", {}, one.name), el("b", {}, String(one.value)), el("span.unit", {}, one.unit)),
    terms.length ? el("ul.terms", { "aria-label": word("terms") }, ...terms) : null);
}

let noticed = false; // whether notices are open

/** Show a verdict: first how many slots are `free`, if any, and whether it is legal; what is wrong, and the
 * figures, in sections of their own. `acts` are what can be done about it; a draft that `is_empty` is not judged. */
export function showVerdict({ verdict: parent, faults, figures }, verdict, acts, { free = 0, isEmpty = "" } = {}) {
  const problems = isEmpty ? [] : verdict.problems ?? [];
  if (!verdict.figures) {
    fill(parent);
    fill(figures);
    return fill(faults, el("ul.inner", {}, ...problems.map((problem) => problemItem(problem, { place: false }))));
  }
  const open = new Set([...figures.querySelectorAll("details.figure[open]")].map((one) => one.dataset.figure));
  const state = isEmpty ? "empty" : verdict.legal === null ? "unknown" : verdict.legal ? "legal" : "illegal";
  const says = { empty: isEmpty, unknown: word("not_judged"), legal: word("legal"), illegal: word("illegal", { count: problems.length }) }[state];
  fill(parent, el("div.says", {},
    free ? el("strong.state.unfinished", { id: "free" }, word("slots_free", { count: free })) : null,
    el(`strong.state.${state}`, { id: "state" }, says), el("span.regulation", {}, verdict.regulation),
    problems.length ? button(word("suggest"), acts.suggest, { id: "suggest" }) : null,
    free ? button(word("slots_fill"), acts.fill, { id: "fill" }) : null));
  fill(faults,
    el("ul.faults-list", {}, ...problems.map((problem) => {
      const item = problemItem(problem, { place: false });
      if (/^[A-Z]+-/.test(problem.rule)) item.append(button(word("waive"), () => acts.waive(problem.rule), { class: "plain" }));
      return item;
    })),
    verdict.waived.length ? el("div.waived", {}, el("span.label", {}, word("waived")), el("ul", {}, ...verdict.waived.map((one) => el("li", {}, `${one.rule} ${one.message}`, button(word("waive_not"), () => acts.hold(one.rule), { class: "plain" }))))) : null,
    verdict.notices.length ? el("details.more", { open: noticed, ontoggle: (event) => { noticed = event.target.open; } }, el("summary", {}, word("notices", { count: verdict.notices.length })),
      el("ul.inner", {}, ...verdict.notices.map((problem) => problemItem(problem, { place: false })))) : null);
  return fill(figures, ...verdict.figures.filter((one) => !one.part).map((one) => {
    const found = figure(one);
    found.dataset.figure = one.id;
    found.open = open.has(one.id);
    return found;
  }));
}

/** What can be done about a draft's faults. */
export const remedies = (drafts, bar) => {
  const put = (waivers) => drafts.change({ ...drafts.draft, waivers });
  return {
    suggest: () => bar.suggest(),
    fill: () => bar.suggest("fill"),
    waive: (rule) => put([...drafts.draft.waivers, { rule, reason: word("waive_why") }]),
    hold: (rule) => put(drafts.draft.waivers.filter((one) => one.rule !== rule)),
  };
};
