// What the rules say of a draft: whether it is legal, its figures with their terms, what is wrong.

import { button, el, fill, problemItem, word } from "./base.js";

function figure(one) {
  const terms = one.terms.map((term, index) => el("li", { title: term.sources.join("・") || null },
    el("span", {}, term.label), el("b", {}, `${term.value < 0 ? "−" : index ? "+" : ""}${Math.abs(term.value)}`)));
  return el("details.figure", {},
    el("summary", {}, el("span.what", {}, one.name), el("b", {}, String(one.value)), el("span.unit", {}, one.unit)),
    terms.length ? el("ul.terms", { "aria-label": word("terms") }, ...terms) : null);
}

/** Show a verdict; `acts` are what can be done about it. */
export function showVerdict(parent, below, verdict, acts) {
  if (!verdict.figures) {
    fill(parent);
    return fill(below, el("ul.inner", {}, ...(verdict.problems ?? []).map((problem) => problemItem(problem, { place: false }))));
  }
  const open = new Set([...parent.querySelectorAll("details.figure[open]")].map((one) => one.dataset.figure));
  const state = verdict.legal === null ? "unknown" : verdict.legal ? "legal" : "illegal";
  const says = { unknown: word("not_judged"), legal: word("legal"), illegal: word("illegal", { count: verdict.problems.length }) }[state];
  const rules = new Set(verdict.problems.map((problem) => problem.rule));
  const figures = verdict.figures.filter((one) => !one.part).map((one) => {
    const found = figure(one);
    found.dataset.figure = one.id;
    found.open = open.has(one.id);
    return found;
  });
  fill(parent,
    el("div.says", {}, el(`strong.state.${state}`, { id: "state" }, says), el("span.regulation", {}, verdict.regulation),
      verdict.problems.length ? button(word("suggest"), acts.suggest, { id: "suggest" }) : null),
    el("div.figures", { role: "group", "aria-label": word("figures") }, ...figures));
  return fill(below,
    el("ul.faults-list", {}, ...verdict.problems.map((problem) => {
      const item = problemItem(problem, { place: false });
      if (rules.has(problem.rule) && /^[A-Z]+-/.test(problem.rule)) item.append(button(word("waive"), () => acts.waive(problem.rule), { class: "plain" }));
      return item;
    })),
    verdict.waived.length ? el("div.waived", {}, el("span.label", {}, word("waived")), el("ul", {}, ...verdict.waived.map((one) => el("li", {}, `${one.rule} ${one.message}`, button(word("waive_not"), () => acts.hold(one.rule), { class: "plain" }))))) : null,
    el("ul.inner", {}, ...verdict.notices.map((problem) => problemItem(problem, { place: false }))));
}
