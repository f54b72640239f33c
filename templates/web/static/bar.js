// What is done with drafts, of builds and of decks alike: choosing, undoing, handing in and out.

import { api, ask, button, byId, calmly, copyButton, copyable, el, facts, fileButton, follow, menu, openSheet, pastedAs, refill, reopen, saveText, showProblems, toast, watch, word } from "./base.js";
import { alike, isKept, named, sound } from "./drafts.js";

const language = facts.language;

export class Bar {
  /** `acts`: `request()` of what is judged, `fresh()` draft, `compare()` if there is such a thing. */
  constructor(parent, sheet, drafts, acts) {
    Object.assign(this, { parent, sheet, drafts, acts });
    sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea")) return;
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) drafts.undo();
      else if (key === "y" || key === "z") drafts.redo();
      else return;
      event.preventDefault();
    });
    document.body.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
    document.body.addEventListener("drop", async (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      for (const file of event.dataTransfer.files) this.showProblems((await this.read(await file.text(), file.name)).problems);
    });
  }

  /** Open what there is to put together, asked for by `what`, show it, and keep up with what is saved. */
  async begin(what, open, show) {
    if (!(await open())) return reopen();
    await this.handed();
    await show();
    addEventListener("hashchange", async () => { await this.handed(); await show(); });
    const renew = calmly(async () => { if (await open()) await show(); }, 50);
    const retell = calmly(async () => showProblems(byId("bench-problems"), (await ask(api(what))).problems), 50);
    watch((event) => { // what painting finds leaves the cards, and what is in focus, as they are
      if (event.what === "data") renew();
      if (event.what === "problems") retell();
    });
  }

  show(data) {
    const { one, list } = this.drafts;
    const state = [data.stamp, one?.id, list.map((each) => [each.id, each.draft.name, each.draft.label]), one?.past.length > 0, one?.future.length > 0, isKept];
    refill(this.parent, state, () => this.made(data));
  }

  /** The drafts to choose from, those of a label together. */
  shelved() {
    const { list, current } = this.drafts;
    const option = ({ id, draft }) => el("option", { value: id, selected: id === current }, draft.name || word("draft_nameless"));
    const labels = [...new Set(list.map((one) => one.draft.label))].filter(Boolean).sort();
    return [...list.filter((one) => !one.draft.label).map(option),
      ...labels.map((label) => el("optgroup", { label }, ...list.filter((one) => one.draft.label === label).map(option)))];
  }

  made(data) {
    const { drafts } = this;
    const one = drafts.one;
    const isDeck = drafts.sort === "decks";
    const { guest } = facts;
    const go = (page, key) => location.assign(`/${language}/${facts.game}/${page}#${key}=${drafts.current}`);
    return [
      el("select", { "aria-label": word("drafts"), id: "which", onchange: (event) => drafts.choose(event.target.value) },
        ...this.shelved()),
      menu(`＋ ${word("draft_new")}`, "start-from", [
        ["", { text: word(isDeck ? "draft_empty_deck" : "draft_empty"), value: "", act: () => drafts.add(this.acts.fresh()) }],
        data.printed.length ? [word(isDeck ? "start_from_deck" : "start_from"), ...data.printed.map((each) => ({ text: each.name, value: each.code, act: () => drafts.add(sound(each.draft)) }))] : [""]]),
      button("↶", () => drafts.undo(), { title: `${word("undo")} (Ctrl+Z)`, "aria-label": word("undo"), id: "undo", disabled: !one?.past.length }),
      button("↷", () => drafts.redo(), { title: `${word("redo")} (Ctrl+Y)`, "aria-label": word("redo"), id: "redo", disabled: !one?.future.length }),
      button(word("draft_share"), () => this.share(), { id: "share" }),
      guest ? null : button(word("draft_seat"), () => go("room", isDeck ? "deck" : "seat"), { id: "seat" }),
      menu(word("draft_more"), "more", [
        [word("draft_files"), { text: word("draft_load"), id: "load", act: () => this.load() },
          { text: word("draft_save"), id: "save-yaml", act: () => this.save() },
          drafts.list.length > 1 && { text: word("draft_save_all"), id: "save-all", act: () => this.saveAll() },
          !guest && { text: word("draft_print"), id: "print", act: () => go("print", isDeck ? "deck" : "mech") },
          !guest && !isDeck && { text: word("make_loose"), id: "loose", act: () => this.loose() }],
        [word("drafts"), { text: word("draft_copy"), id: "copy", act: () => drafts.add(drafts.draft) },
          this.acts.compare && { text: word("draft_compare"), id: "compare", act: this.acts.compare, disabled: drafts.list.length < 2 },
          { text: word("draft_delete"), id: "delete", act: () => this.drop() }]]),
      el("span.kept", {}, isKept ? word("draft_kept") : word("draft_not_kept"))];
  }

  drop() {
    const { name } = this.drafts.draft;
    const back = this.drafts.remove(this.drafts.current);
    toast(word("draft_deleted", { name }), button(word("draft_back"), back));
  }

  /** Words of one's own at a draft: a label to find it by, and a note. */
  remarks(change) {
    const { draft, list } = this.drafts;
    const labels = [...new Set(list.map((one) => one.draft.label))].filter(Boolean);
    const open = this.remarked ?? Boolean(draft.label || draft.note);
    return el("details.remarks", { open, ontoggle: (event) => { this.remarked = event.target.open; } }, el("summary", { id: "remarks" }, word("draft_remarks")),
      el("label", {}, el("span.label", {}, word("draft_label")), el("input", { type: "text", id: "label", value: draft.label, maxlength: "60", list: "labels", onchange: (event) => change({ label: event.target.value.trim() }) })),
      el("datalist", { id: "labels" }, ...labels.map((value) => el("option", { value }))),
      el("label", {}, el("span.label", {}, word("draft_note")), el("textarea", { id: "note", rows: "3", maxlength: "2000", onchange: (event) => change({ note: event.target.value }) }, draft.note)));
  }

  /** A dialog with a heading and a way out. */
  open(title, ...children) {
    openSheet(this.sheet, title, ...children);
  }

  written() {
    return ask(api("write"), this.acts.request());
  }

  async save() {
    saveText((await this.written()).text, `${this.drafts.draft.name || "build"}.yaml`);
  }

  async saveAll() {
    const found = await ask(api("drafts"), { drafts: named(this.drafts.list.map((one) => one.draft)) });
    saveText(found.text, `${facts.game}_${this.drafts.sort === "decks" ? "decks" : "builds"}.yaml`);
  }

  async share() {
    const { text, line } = await this.written();
    const link = `${location.origin}${location.pathname}#${line ? `line=${encodeURIComponent(line)}` : `draft=${encodeURIComponent(JSON.stringify(this.drafts.draft))}`}`;
    this.open(word("draft_share"),
      line ? copyable(line, word("share_line")) : null,
      el("pre", { id: "shared", tabindex: "0" }, text),
      el("div.row", {}, copyButton(text)),
      copyable(link, word("share_link")));
  }

  /** The drafts of a text, taken in. What is no YAML and no table is a plain list of cards. */
  async read(text, name = "") {
    const found = await ask(api("read"), { text, name: name || pastedAs(text) });
    const decks = this.drafts.sort === "decks";
    const fit = (found.drafts ?? []).filter((draft) => decks === Boolean(Object.keys(draft.decks ?? {}).length));
    const fresh = fit.map(sound).filter((draft) => !this.drafts.list.some((one) => alike(one.draft, draft)));
    for (const draft of fresh.reverse()) this.drafts.add(draft);
    const known = fit.length - fresh.length;
    toast([fresh.length ? word("read_some", { count: fresh.length }) : null, known ? word("read_known", { count: known }) : null].filter(Boolean).join(" · ") || word("read_none"));
    return { ...found, drafts: fit };
  }

  showProblems(problems) {
    if (problems?.length) this.open(word("found_wrong"), showProblems(el("div.problems"), problems));
  }

  load() {
    const problems = el("div.problems");
    const paste = el("textarea", { rows: "8", placeholder: word("paste_here"), "aria-label": word("paste_here"), id: "paste" });
    const take = async (text, name) => {
      if (!text.trim()) return void toast(word("read_none"));
      const found = await this.read(text, name);
      showProblems(problems, found.problems);
      if (found.drafts.length && !found.problems.length) this.sheet.close();
    };
    this.open(word("draft_load"),
      el("div.row", {}, fileButton(word("from_file_button"), ".yaml,.yml,.csv,.tsv,.txt", async (files) => { for (const file of files) await take(await file.text(), file.name); }, { multiple: true })),
      paste, problems,
      el("div.row", {}, button(word("draft_load"), () => take(paste.value), { class: "main" })));
    paste.focus();
  }

  async loose() {
    for await (const line of follow(api("loose"), { thing: this.drafts.draft })) {
      if (line.made) {
        const [file] = line.made.files;
        el("a", { href: `/made/${file.address}`, download: file.name }).click();
        toast(word("what_now_loose"));
      }
      if (line.problems?.length) toast(line.problems[0].message);
    }
  }

  /** Ways to mend the draft, each as its changes, to take or to leave. */
  async suggest(how = "suggest") {
    const found = await ask(api(how), this.acts.request());
    const ways = found.legal ? found.ways ?? [] : [];
    const take = (after) => { this.sheet.close(); this.drafts.change(sound({ ...after, name: this.drafts.draft.name })); };
    const title = how === "fill" ? (ways.length ? "slots_filled" : "slots_none") : ways.length ? "suggest_found" : "suggest_none";
    this.open(word(title, { count: ways[0]?.changes.length ?? 0 }),
      ...ways.slice(0, 5).map((way, index) => el("div.way", {},
        el("ul.changes", {}, ...way.changes.map((one) => el("li", {}, one))),
        way.changes.length ? button(word("take"), () => take(way.after), { class: index ? "" : "main", id: index ? null : "take" }) : null)));
  }

  /** A draft that came with the address. */
  async handed() {
    const found = /^#(draft|line)=(.*)$/s.exec(location.hash);
    if (!found) return;
    try {
      if (found[1] === "line") await this.read(decodeURIComponent(found[2]), "build.yaml");
      else this.drafts.add(sound(JSON.parse(decodeURIComponent(found[2]))));
    } catch {
      toast(word("read_none"));
    }
    history.replaceState(null, "", location.pathname);
  }
}
