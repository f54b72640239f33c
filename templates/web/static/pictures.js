// Pictures that the server paints when they are asked for. Few are asked for at a time, and only
// those in sight: a browser has six connections, and whatever else is asked is to be answered at once.

import { calmly, el } from "./base.js";

const MOST = 3;
const BLANK = "/static/blank.svg";
const wanted = new WeakMap(); // by image, the address that it is to show
const FACES = "/faces/";
const seen = new Set(); // what came: a browser keeps it
const told = new Set(); // what the server was told that it will be asked for
const queue = new Set();
const coming = new Set();

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) queue.add(target);
    else queue.delete(target);
  }
  next();
  announce();
}, { rootMargin: "150px" });

/** An element that shows the picture at an address as soon as it is in sight and painted. */
export function pictured(name, address, attributes = {}) {
  const known = seen.has(address);
  const image = el(name, { alt: "", decoding: "async", ...attributes, src: known ? address : BLANK });
  for (const over of ["load", "error"]) {
    image.addEventListener(over, () => {
      coming.delete(image);
      next();
    });
  }
  image.addEventListener("load", () => seen.add(image.getAttribute("src")));
  if (known) wanted.set(image, address);
  else repicture(image, address);
  return image;
}

/** Let an element that was made so show another picture; until that is there it shows its old one. */
export function repicture(image, address) {
  if (wanted.get(image) === address) return false;
  wanted.set(image, address);
  sight.unobserve(image); // to be told of it anew
  sight.observe(image);
  return true;
}

/** Tell the server what is in sight and new, so that it paints many at once. */
const announce = calmly(() => {
  const keys = [...queue].map((image) => wanted.get(image)).filter((at) => at.startsWith(FACES) && !told.has(at)).slice(0, 60);
  for (const at of keys) told.add(at);
  const body = JSON.stringify({ keys: keys.map((at) => at.slice(FACES.length)) });
  if (keys.length) fetch("/api/paint", { method: "POST", body }).catch(() => null);
}, 0);

function next() {
  const first = [...queue].sort((one, other) => Number(!!other.closest("dialog")) - Number(!!one.closest("dialog")));
  for (const image of first) {
    if (coming.size >= MOST) return;
    queue.delete(image);
    sight.unobserve(image);
    coming.add(image);
    image.src = wanted.get(image);
  }
}
