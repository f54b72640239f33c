// Pictures that the server paints when they are asked for. Few are asked for at a time, and only
// those in sight or near it: a browser has six connections, and whatever else is asked is to be
// answered at once.

import { el } from "./base.js";

const MOST = 3;
const BLANK = "/static/blank.svg";
const wanted = new WeakMap(); // by image, the address that it is to show
const FACES = "/faces/";
const seen = new Set(); // what came: a browser keeps it
const broken = new Set(); // what could not be painted
const announced = new Set(); // what the server knows that it will be asked for
const queue = new Map(); // by image, how soon it is to come
const coming = new Set();

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting, boundingClientRect: { top, bottom } } of entries) {
    if (isIntersecting) queue.set(target, target.closest("dialog") ? 0 : bottom > 0 && top < innerHeight ? 1 : 2);
    else queue.delete(target);
  }
  announce();
  next();
}, { rootMargin: "150px" });

/** An element that shows the picture at an address as soon as it is in sight and painted, and until then that
 * of `before`. One that cannot be painted leaves the last that could, dimmed. */
export function pictured(name, address, attributes = {}, before = BLANK) {
  const known = seen.has(address);
  const image = el(name, { alt: "", decoding: "async", ...attributes, src: known ? address : before });
  let last = before;
  image.addEventListener("load", () => {
    last = image.getAttribute("src");
    image.classList.toggle("stale", broken.has(wanted.get(image)) && last !== wanted.get(image));
  });
  image.addEventListener("error", () => {
    broken.add(image.getAttribute("src"));
    image.src = last;
  });
  for (const over of ["load", "error"]) {
    image.addEventListener(over, () => {
      coming.delete(image);
      announce();
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
  sight.unobserve(image); // so that it is observed anew
  sight.observe(image);
  return true;
}

const soonest = () => [...queue.keys()].sort((one, other) => queue.get(one) - queue.get(other));

/** Tell the server what is new in sight, and near it where nothing is, so that it paints many at once. */
function announce() {
  const first = soonest().filter((image, _, [one]) => queue.get(image) === queue.get(one));
  const keys = first.map((image) => wanted.get(image)).filter((at) => at.startsWith(FACES) && !announced.has(at)).slice(0, 60);
  for (const at of keys) announced.add(at);
  const body = JSON.stringify({ keys: keys.map((at) => at.slice(FACES.length)) });
  if (keys.length) fetch("/api/paint", { method: "POST", body }).catch(() => null);
}

function next() {
  for (const image of soonest()) {
    if (coming.size >= MOST) return;
    queue.delete(image);
    sight.unobserve(image);
    coming.add(image);
    image.src = wanted.get(image);
  }
}
