// Pictures of somebody's own for pawns: handed to the server once, kept in this browser by their keys.

import { ask, showProblems, byId, toast, word } from "./base.js";

const MOST = 60;
const shelf = () => caches.open("pictures");
const at = (key) => `/own/${encodeURIComponent(key)}`;
const shown = new Map(); // by key, an address within this page

export const isPicture = (file) => /^image\//.test(file.type) || /\.(png|jpe?g|webp|svg)$/i.test(file.name);

async function handed(blob, name) {
  const found = await ask(`/api/picture?name=${encodeURIComponent(name)}`, blob);
  if (found.ok) return { key: found.key, name: found.name };
  showProblems(byId("problems"), found.problems);
  return null;
}

/** A picture that was chosen, as the order of a room has it; nothing where it is none. */
export async function handOver(file) {
  const one = await handed(file, file.name);
  if (!one) return null;
  shown.set(one.key, URL.createObjectURL(file));
  try {
    const kept = await shelf();
    await kept.put(at(one.key), new Response(file, { headers: { "content-type": file.type, "x-name": encodeURIComponent(file.name) } }));
    for (const old of (await kept.keys()).slice(0, -MOST)) await kept.delete(old);
  } catch { /* a browser that keeps nothing: it is there until the workbench ends */ }
  return one;
}

async function found(key) {
  try {
    return await (await shelf()).match(at(key));
  } catch {
    return undefined;
  }
}

/** Hand over again what the server has forgotten; whether it could be. */
export async function handAgain(key) {
  const kept = await found(key);
  if (kept && (await handed(await kept.blob(), decodeURIComponent(kept.headers.get("x-name") ?? "")))) return true;
  toast(word("picture_gone"));
  return false;
}

/** The picture of a key into an image, as soon as it is found. */
export async function showOwn(image, key) {
  const kept = shown.has(key) ? null : await found(key);
  if (kept) shown.set(key, URL.createObjectURL(await kept.blob()));
  if (shown.has(key)) image.src = shown.get(key);
}
