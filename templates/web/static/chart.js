// Damage by distance as a picture: a line a build, dashed in every situation but the first.

import { el, word } from "./base.js";

const [WIDE, HIGH] = [320, 150];
const [LEFT, BOTTOM] = [26, 20];

function svg(name, attributes, ...children) {
  const found = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...children);
  return found;
}

/** A chart of what the server says of damage; nothing where nothing does any. */
export function damageChart({ names, damage }) {
  const lines = damage.flatMap((one, situation) => one.sums.map((sums, build) => ({ situation, build, sums, label: names.length > 1 ? `${names[build]} ${one.situation}` : one.situation })));
  const last = Math.max(0, ...lines.flatMap((line) => line.sums.map((value, at) => (value ? at : 0))));
  const most = Math.max(0, ...lines.flatMap((line) => line.sums));
  if (!most) return null;
  const reach = Math.max(last, 1);
  const x = (distance) => LEFT + (distance * (WIDE - LEFT - 8)) / reach;
  const y = (value) => HIGH - BOTTOM - (value * (HIGH - BOTTOM - 8)) / most;
  const step = Math.max(1, Math.ceil(most / 4));
  const grid = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step).flatMap((value) => [
    svg("line", { x1: LEFT, x2: WIDE, y1: y(value), y2: y(value), class: "grid-line" }),
    svg("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, String(value))]);
  const marks = Array.from({ length: reach + 1 }, (_, at) => svg("text", { x: x(at), y: HIGH - 4, "text-anchor": "middle" }, String(at)));
  const drawn = lines.map((line) => svg("polyline", { points: line.sums.slice(0, reach + 1).map((value, at) => `${x(at)},${y(value)}`).join(" "), class: `line build-${line.build % 4}${line.situation ? " other" : ""}` }));
  const label = lines.map((line) => `${line.label}: ${line.sums.slice(0, reach + 1).map((value, at) => `${at}=${value}`).join(" ")}`).join("; ");
  return el("figure.damage", {},
    svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label }, ...grid, ...marks, ...drawn),
    el("figcaption", {}, word("damage_by"), ...lines.map((line) => el(`span.key.build-${line.build % 4}${line.situation ? ".other" : ""}`, {}, line.label))));
}
