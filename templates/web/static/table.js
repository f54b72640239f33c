// The table as the client draws it: the same perspective, the same opening camera, the same places.

import { button, el, fill, picture, word } from "./base.js";
import { pictured, repicture } from "./pictures.js";

const KEYS = {
  ArrowLeft: (view) => view.turn({ turn: -5 }), ArrowRight: (view) => view.turn({ turn: 5 }),
  ArrowUp: (view) => view.turn({ pitch: -5 }), ArrowDown: (view) => view.turn({ pitch: 5 }),
  "+": (view) => view.zoom(1), ";": (view) => view.zoom(1), "-": (view) => view.zoom(-1),
  0: (view) => view.open(), 9: (view) => view.above(),
};

/** A thing of the table as elements; `flat` ones lie, others stand up. */
function thing(one) {
  const node = el(`div.thing.k-${one.kind}`, { "data-name": one.name });
  node.style.transform = `translate3d(${one.x}px, ${one.y}px, ${one.z}px)`;
  node.thing = one;
  const inner = el("div.turned");
  if (one.turn) inner.style.rotate = `${one.turn}deg`;
  node.append(inner);
  const image = (side, more = {}) => pictured("img", picture(one[side]), { draggable: "false", "data-side": side, ...more });
  const px = (element, width, height) => {
    element.style.width = `${width}px`;
    if (height !== undefined) element.style.height = `${height}px`;
    return element;
  };
  if (one.kind === "card" || one.kind === "stack") {
    if (!one.picture) inner.append(px(el("div.plate", {}, one.kind === "stack" ? String(one.count) : ""), one.width ?? 100, 70));
    else inner.append(px(image("picture"), one.width));
    if (one.kind === "stack" && one.count > 1) {
      node.style.setProperty("--thick", `${Math.min(one.count, 30) * 0.6}px`);
      inner.classList.add("pile");
      inner.append(el("span.total", {}, String(one.count)));
    }
    node.style.zIndex = one.level;
  } else if (one.kind === "character" || one.kind === "die") {
    px(inner, one.width, one.width);
    inner.append(el("span.pedestal"));
    const upright = px(el("div.upright"), one.width, one.width);
    if (one.picture) upright.append(px(image("picture"), one.width));
    if (one.name && one.kind === "character") upright.append(el("span.tag", {}, one.name));
    inner.append(upright);
  } else if (one.kind === "note") {
    const board = px(el("div.sign"), one.width);
    board.style.minHeight = `${one.height}px`;
    if (one.picture) board.append(image("picture", { class: "ground" }));
    if (one.title) board.append(el("strong", {}, one.title));
    const text = el("p", {}, one.says);
    text.style.fontSize = `${one.font}px`;
    board.append(text);
    inner.append(board);
  } else {
    px(inner, one.width, one.depth);
    inner.classList.add("block");
    inner.style.setProperty("--w", `${one.width}px`);
    inner.style.setProperty("--d", `${one.depth}px`);
    inner.style.setProperty("--h", `${one.height ?? 0}px`);
    if (one.wall && one.height) for (const side of ["back", "front", "left", "right"]) inner.append(image("wall", { class: `wall w-${side}` }));
    if (one.picture) {
      const top = image("picture", { class: "lid" });
      if (one.opacity !== undefined) top.style.opacity = one.opacity;
      inner.append(top);
    }
  }
  return node;
}

/** A thing as it stands, whatever is painted on it. */
const placeOf = ({ picture: face, wall, text, ...rest }) => JSON.stringify([rest, Boolean(face), Boolean(wall)]);

/** A view of a table in `parent`; what is pointed at is passed to `pointed`. */
export class TableView {
  constructor(parent, pointed) {
    this.parent = parent;
    this.pointed = pointed;
    this.window = [1366, 768];
    this.nodes = new Map();
    this.ground = el("div.ground-plane");
    this.frame = el("div.camera", {}, this.ground);
    this.panels = el("div.panels", { hidden: true, "aria-hidden": "true" });
    this.stage = el("div.perspective", {}, this.frame, this.panels);
    this.hasPanels = false;
    parent.append(this.stage);
    this.camera = null;
    new ResizeObserver(() => this.fit()).observe(parent);
    parent.addEventListener("keydown", (event) => {
      if (KEYS[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        KEYS[event.key](this);
        event.preventDefault();
      }
    });
    parent.addEventListener("pointermove", (event) => this.move(event));
    parent.addEventListener("pointerdown", (event) => {
      this.grip = { x: event.clientX, y: event.clientY, pan: event.button !== 0 || event.shiftKey };
      parent.setPointerCapture(event.pointerId);
    });
    parent.addEventListener("pointerup", () => { this.grip = null; });
    parent.addEventListener("pointerleave", () => this.pointed(null));
    parent.addEventListener("contextmenu", (event) => event.preventDefault());
    parent.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== parent) return;
      this.zoom(event.deltaY < 0 ? 1 : -1);
      event.preventDefault();
    }, { passive: false });
  }

  /** Show what is drawn; things that stay where they are keep their elements, whatever they look like. */
  show(drawn) {
    this.drawn = drawn;
    if (!drawn.table) return fill(this.ground);
    const { width, height, picture: surface } = drawn.table;
    this.stage.style.perspective = `${drawn.camera.perspective}px`;
    this.ground.style.width = `${width}px`;
    this.ground.style.height = `${height}px`;
    const wanted = [];
    const seen = new Map();
    if (surface) wanted.push(this.kept(`surface ${surface}`, seen, () => pictured("img.surface", picture(surface))));
    for (const one of drawn.things) {
      const node = this.kept(placeOf(one), seen, () => thing(one));
      if (node.thing.picture !== one.picture || node.thing.wall !== one.wall) {
        for (const image of node.querySelectorAll("img[data-side]")) repicture(image, picture(one[image.dataset.side]));
      }
      node.thing = one;
      wanted.push(node);
    }
    this.nodes = seen;
    this.ground.replaceChildren(...wanted);
    this.fit();
    if (!this.camera) this.open();
    else this.place();
  }

  kept(key, seen, make) {
    let name = key;
    for (let times = 2; seen.has(name); times += 1) name = `${key} ${times}`;
    const node = this.nodes.get(name) ?? make();
    seen.set(name, node);
    return node;
  }

  /** As the client opens. */
  open() {
    const { x, pitch, turn } = this.drawn.camera;
    this.camera = { x, y: 0, z: 0, pitch, turn, opening: true };
    this.place();
  }

  /** The whole table from straight above. */
  above() {
    const { width, height } = this.drawn.table;
    const [w, h] = this.window;
    const share = Math.min((w - 20) / width, (h - 20) / height);
    const { perspective } = this.drawn.camera;
    // A table that is wider than the window begins at its left edge.
    this.camera = { x: Math.min(0, (w - width) / 2), y: 0, z: perspective - perspective / share, pitch: 0, turn: 0, opening: false };
    this.place();
  }

  turn({ turn = 0, pitch = 0 }) {
    const camera = this.camera;
    this.camera = { ...camera, turn: camera.turn + turn, pitch: Math.min(80, Math.max(0, camera.pitch + pitch)), opening: false };
    this.place();
  }

  zoom(step) {
    this.camera = { ...this.camera, z: Math.min(750, Math.max(-6000, this.camera.z + step * 150)), opening: false };
    this.place();
  }

  move(event) {
    if (this.grip && event.buttons) {
      const [dx, dy] = [event.clientX - this.grip.x, event.clientY - this.grip.y];
      Object.assign(this.grip, { x: event.clientX, y: event.clientY });
      if (this.grip.pan || event.pointerType === "touch") this.turn({ turn: -dx / 5, pitch: -dy / 5 });
      else {
        this.camera = { ...this.camera, x: this.camera.x + dx / this.scale, y: this.camera.y + dy / this.scale, opening: false };
        this.place();
      }
      return;
    }
    const node = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".thing")).find(Boolean);
    this.pointed(node?.thing ?? null, event);
  }

  /** The window has the pixels of a real one, made as small as there is room. */
  fit() {
    const [w, h] = this.window;
    const room = this.parent.clientWidth;
    this.scale = room / w;
    this.stage.style.width = `${w}px`;
    this.stage.style.height = `${h}px`;
    this.stage.style.scale = String(this.scale);
    this.parent.style.height = `${h * this.scale}px`;
    const panels = this.drawn?.windows?.find((one) => one.width === w)?.panels ?? [];
    fill(this.panels, ...panels.map(([left, top, width, height]) => {
      const panel = el("div.panel");
      for (const [key, value] of Object.entries({ left, top, width, height })) panel.style[key] = `${value}px`;
      return panel;
    }));
  }

  resize(window) {
    this.window = window;
    this.fit();
    if (this.camera?.opening === false && this.camera.pitch === 0) this.above();
    else this.place();
  }

  place() {
    const { x, y, z, pitch, turn } = this.camera;
    this.ground.style.transform = `translateZ(${z}px) translateY(${y}px) translateX(${x}px) rotateX(${pitch}deg) rotateZ(${turn}deg)`;
    this.parent.classList.toggle("from-above", pitch < 25);
    this.panels.hidden = !(this.hasPanels && this.camera.opening);
    this.onplaced?.(this.camera);
  }
}

/** What the client says of a thing that is pointed at, shown in `hover` beside the pointer. */
export function describing(parent, hover) {
  return (thing_, event) => {
    hover.hidden = !thing_ || (!thing_.name && !thing_.text.length);
    if (hover.hidden) return;
    fill(hover, el("strong", {}, thing_.title || thing_.name), thing_.count > 1 ? el("span.n", {}, ` ${thing_.count}`) : null,
      ...thing_.text.slice(0, 14).map(([label, text]) => el("p", {}, el("span.label", {}, label), " ", text)));
    const box = parent.getBoundingClientRect();
    const x = event.clientX - box.left;
    hover.style.left = `${Math.min(x + 18, Math.max(8, box.width - 330))}px`;
    hover.style.top = `${Math.min(event.clientY - box.top + 18, Math.max(8, box.height - hover.offsetHeight - 8))}px`;
  };
}

/** Buttons that do what keys do. */
export function viewButtons(view) {
  const act = (key, work, sign) => button(sign ?? word(key), work, { title: word(key), "aria-label": word(key) });
  const opening = act("view_opening", () => view.open());
  const above = act("view_above", () => view.above());
  const sizes = el("select", { "aria-label": word("view_window"), onchange: (event) => view.resize(event.target.value.split("×").map(Number)) },
    el("option", {}, "1366×768"), el("option", {}, "1920×1080"));
  const panels = el("button", { type: "button", title: word("view_panels_hint"), "aria-pressed": "false", onclick: () => {
    view.hasPanels = !view.hasPanels;
    panels.setAttribute("aria-pressed", String(view.hasPanels));
    if (view.hasPanels && !view.camera.opening) view.open();
    else view.place();
  } }, word("view_panels"));
  view.onplaced = (camera) => {
    opening.setAttribute("aria-pressed", String(camera.opening));
    above.setAttribute("aria-pressed", String(!camera.opening && camera.pitch === 0));
  };
  return [
    opening, above,
    act("view_turn_left", () => view.turn({ turn: 15 }), "↺"), act("view_turn_right", () => view.turn({ turn: -15 }), "↻"),
    act("view_zoom_in", () => view.zoom(2), "＋"), act("view_zoom_out", () => view.zoom(-2), "－"),
    el("span.size-of-window", {}, panels, sizes),
  ];
}
