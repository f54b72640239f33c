// The shelf of games: names and pictures come as they are read.

import { ask, byId, el, facts, fill, picture, showProblems, watch, word } from "./base.js";
import { pictured } from "./pictures.js";

const language = facts.language;

async function show(box) {
  const name = box.dataset.game;
  const found = await ask(`/api/${encodeURIComponent(name)}/head`);
  box.querySelector(".box-name").textContent = found.name ?? name;
  const wrong = found.wrong;
  const players = found.players ? [...new Set(found.players)].join("–") : "";
  const some = [
    players && word("facts_players", { players }),
    found.cards && word("facts_cards", { cards: found.cards }),
    found.rooms && word("facts_rooms", { rooms: found.rooms }),
    found.mechs && word("facts_mechs", { mechs: found.mechs }),
  ].filter(Boolean);
  fill(box.querySelector(".box-facts"), some.join(" · "), wrong ? el("span.wrong", {}, ` · ${word("facts_wrong", { wrong })}`) : null);
  const doors = [found.has?.cards && "cards", found.has?.rooms && !facts.guest && "room", found.has?.frames && "build", found.has?.decks && "deck", found.has?.cards && !facts.guest && "print"].filter(Boolean);
  fill(box.querySelector(".box-doors"), ...doors.map((door) => el("a", { href: `/${language}/${name}/${door}` }, word(`page_${door}`))));
  fill(box.querySelector(".fan"), ...found.fan.map((key) => pictured("img", picture(key))));
}

/* A folder of this machine: the page has its address from the server, as no browser gives it. */
byId("folder")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const found = await ask("/api/folder", { path: byId("folder-path").value });
  if (found.ok) location.assign(`/${language}/${encodeURIComponent(found.game)}/cards`);
  else showProblems(byId("problems"), found.problems);
});

for (const box of byId("shelf").children) show(box).catch(() => {});
watch((event) => {
  if (event.what === "games") location.reload(); // one more is on the shelf
  if (event.what !== "data") return;
  for (const box of byId("shelf").children) {
    if (!event.game || box.dataset.game === event.game) show(box).catch(() => {});
  }
});
