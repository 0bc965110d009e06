// The board as it lies on the table: wood, its holes, each light from the true bytes of its strip, and behind each
// front peg the trail that it has come. It is laid out in pixels: streets take all the width, so that their numbers
// are as large as they must be.

import { fill, svg } from "./dom.js";
import { nameOf, path } from "./sides.js";

const SMALL_PX = 13; // numbers on pages to read
const RING = 1.25; // the figure around a front peg, in spaces between holes
const BESIDE = 0.72; // millimetres between tracks that a ring may take
const EDGE = 0.012; // of the width, around all
const GREY = /^rgb\((\d+),\1,\1\)$/;

/** @typedef {{ radius: number, glow: SVGCircleElement, lamp: SVGCircleElement }} Light */
let boards = 0;

export class Board {
  // `digits`: the height in pixels that numbers need; with it the board fills its node, otherwise it is as high as it has to be.
  /** @param {SVGSVGElement} node @param {Drawing} drawing @param {{ digits?: (() => number) | null }} how */
  constructor(node, drawing, { digits = null } = {}) {
    this.node = node;
    this.drawing = drawing;
    this.digits = digits;
    this.eye = new Eye();
    /** @type {Uint8Array[]} */
    this.lit = [];
    /** @type {Pegs | null} */
    this.state = null;
    this.size = "";
    /** @type {Place | null} */
    this.place = null;
    /** @type {Light[][]} */
    this.tracks = [];
    /** @type {string[][]} */
    this.last = [];
    this.rings = svg("g", { class: "rings" });
    this.trails = svg("g", { class: "trails" });
    this.crib = svg("g", {});
    boards += 1;
    this.title = svg("title", { id: `board-title-${boards}` });
    node.setAttribute("role", "img");
    node.setAttribute("aria-labelledby", this.title.id);
    new ResizeObserver(() => this.lay()).observe(node);
    this.lay();
  }

  lay() {
    const width = Math.round(this.node.clientWidth);
    const height = Math.round(this.node.clientHeight);
    const size = this.digits ? `${width} ${height} ${this.digits()}` : String(width);
    if (!width || size === this.size) return;
    this.size = size;
    const place = new Place(this.drawing, width, this.digits ? height : 0, this.digits ? this.digits() : SMALL_PX);
    this.place = place;
    const { drawing } = this;
    this.tracks = drawing.tracks.map((track) => track.map((hole) => light(place.at(hole), place.hole * (hole[2] / drawing.tracks[0][0][2]))));
    this.last = drawing.tracks.map(() => []);
    this.rings = svg("g", { class: "rings" });
    this.trails = svg("g", { class: "trails" });
    this.node.setAttribute("viewBox", `0 0 ${width} ${place.height}`);
    fill(this.node, this.title, engraved(drawing, place), this.trails, holes(drawing, place),
      svg("g", { class: "glow" }, this.tracks.flat().map((one) => one.glow)),
      svg("g", { class: "lights" }, this.tracks.flat().map((one) => one.lamp)), this.rings, this.crib);
    this.shine();
    if (this.state) this.pegs(this.state);
  }

  // The frame of the strips, as `{"tracks": [base64 of RGB, …]}`.
  /** @param {{ tracks: string[] }} frame */
  frame({ tracks }) {
    this.lit = tracks.map(bytes);
    this.shine();
  }

  shine() {
    for (const track of this.lit) this.eye.see(track);
    this.lit.forEach((track, at) => this.tracks[at]?.forEach((one, led) => {
      const [colour, level] = this.eye.at(track, led);
      const mark = colour + level;
      if (this.last[at][led] === mark) return;
      this.last[at][led] = mark;
      shine(one, colour, level);
    }));
  }

  // The trail of each side, and the figure around its front peg: the colour is not the only sign.
  /** @param {Pegs} state */
  pegs(state) {
    this.state = state;
    this.title.textContent = pegWords(state);
    if (!this.place) return;
    const { place } = this;
    /** @type {SVGElement[]} */
    const drawn = [];
    const target = Number(state.target);
    const taken = new Set(); // where several share a hole the strip lets them take turns
    /** @param {number} at */
    const marked = (at) => {
      for (const [track, lights] of this.tracks.entries()) {
        const spot = this.hole(track, at, target);
        const mark = state.winner || !spot || taken.has(spot) ? "" : "game";
        lights[this.drawing.tracks[track].indexOf(spot)]?.lamp.setAttribute("data-mark", mark);
        lights[this.drawing.tracks[track].indexOf(spot)]?.glow.setAttribute("data-mark", mark);
      }
    };
    state.sides.forEach((side, index) => {
      const track = index % this.drawing.tracks.length;
      /** @param {Hole | undefined} hole @param {number} size @param {string} style */
      const ring = (hole, size, style) => {
        if (!hole || taken.has(hole)) return false;
        taken.add(hole);
        const [x, y] = place.at(hole);
        const turn = `translate(${x} ${y}) scale(${(place.ring * size) / 24}) translate(-12 -12)`;
        drawn.push(svg("path", { d: path(side.colour), transform: turn, "data-colour": side.colour, class: style }));
        return true;
      };
      const starts = this.drawing.starts[track];
      if (ring(side.front ? this.hole(track, side.front, target) : starts?.at(-1), 1, "front")) {
        ring(side.back ? this.hole(track, side.back, target) : starts?.at(side.front ? -1 : -2), 0.72, "back");
      }
    });
    fill(this.rings, drawn);
    marked(target); // the light of a game hole without a peg is drawn as its outline
    fill(this.crib, this.digits && this.cribs(place, state));
    const longest = state.sides.map((side, index) => ({ ...side, track: index % this.drawing.tracks.length })).sort((one, other) => other.front - one.front);
    fill(this.trails, longest.filter((side) => side.front).flatMap((side) => this.trail(place, side, target)));
  }

  // What the game hole's light is, where it is seen from afar: its colour is that of the crib, and no peg's. On end in the
  // margin, since there is wood beside the last hole of a street.
  /** @param {Place} place @param {Pegs} state */
  cribs(place, state) {
    const index = state.winner ? -1 : state.sides.findIndex((side) => side.side === state.crib);
    const holes = this.drawing.tracks.map((_, track) => this.hole(track, Number(state.target), Number(state.target)));
    if (index < 0 || !place.streets.length || holes[0] !== this.drawing.tracks[0].at(-1)) return null;
    const [x] = place.at(holes[0]);
    const right = x > place.width / 2;
    const from = x + (right ? 0.7 : -0.7) * place.pitch;
    const size = Math.min(place.digits, 0.85 * (right ? place.width - from : from), 0.45 * place.band);
    const middle = holes.reduce((sum, hole) => sum + place.at(hole)[1], 0) / holes.length;
    return svg("text", { "font-size": round(size), "data-colour": state.sides[index].colour, class: "crib", transform: `translate(${round((from + (right ? place.width : 0)) / 2)} ${round(middle)}) rotate(${right ? 90 : -90})` }, "Crib");
  }

  /** @param {Place} place @param {PegsOf & { track: number }} side @param {number} target */
  trail(place, side, target) {
    const track = this.drawing.tracks[side.track];
    /** @param {number} score */
    const led = (score) => track.indexOf(this.hole(side.track, score, target));
    const front = led(side.front);
    const back = side.back && led(side.back) < front ? led(side.back) : -1;
    const whole = place.way(side.track, front);
    /** @param {string} style @param {string} d */
    const part = (style, d) => svg("path", { d, class: style, "data-colour": side.colour });
    return [part("halo", whole), part("trail", whole), part("last", place.way(side.track, front, back))];
  }

  /** @param {number} track @param {number} hole @param {number} target */
  hole(track, hole, target) {
    const places = this.drawing.tracks[track];
    const round = places.length - 1;
    return hole === target && (target - 1) % round === 0 ? places[round] : places[(hole - 1) % round];
  }
}

// Where everything is in pixels. Streets are moved apart until a number has room above each.
class Place {
  /** @param {Drawing} drawing @param {number} width @param {number} height @param {number} digits */
  constructor(drawing, width, height, digits) {
    this.drawing = drawing;
    this.width = width;
    this.digits = digits;
    this.band = 0;
    const all = [...drawing.bands.flat(), ...drawing.tracks.flat(), ...drawing.starts.flat()];
    const [left, right] = ends(all.map(([x]) => x));
    const [top, bottom] = ends(all.map(([, y]) => y));
    const edge = width * EDGE;
    this.streets = drawing.streets ?? [];
    if (height && this.streets.length) digits = this.digits = Math.min(digits, (0.4 * height) / this.streets.length); // the holes need room, too
    const turn = this.streets.length > 1 ? 0.02 * (right - left) : 0; // for the bends between streets
    this.x = { from: left - turn, by: (width - 2 * edge) / (right - left + 2 * turn), at: edge };
    const [one, next] = drawing.tracks[0];
    this.pitch = Math.hypot(next[0] - one[0], next[1] - one[1]) * this.x.by;
    this.label = digits * 1.25;
    const street = this.streets.length ? this.streets[0][1] - this.streets[0][0] : 0;
    if (street) {
      const room = height ? (height - edge - digits * 0.3) / this.streets.length - this.label : Infinity;
      this.band = Math.max(street * 0.2, Math.min(street * this.x.by * (height ? 1.5 : 1), room));
      const used = this.streets.length * (this.band + this.label) + digits * 0.3;
      this.height = height || used + 2 * edge;
      this.top = (this.height - used) / 2;
    } else {
      /** @type {Span[]} */
      const wide = [[left, right, edge]];
      /** @type {Span[]} */
      const tall = [[top, bottom, edge]];
      const labels = (drawing.texts ?? []).filter(({ words }) => Number(words)).map(({ at }) => at);
      if (labels.length) {
        wide.push([...ends(labels.map(([x]) => x)), digits * 0.9]);
        tall.push([...ends(labels.map(([, y]) => y)), digits * 0.5]);
      }
      const by = Math.min(largest(width, wide), height ? largest(height, tall) : Infinity);
      this.pitch *= by / this.x.by;
      this.x = { from: 0, by, at: middle(width, wide, by) };
      this.height = height || needed(tall, by);
      this.top = middle(this.height, tall, by);
    }
    this.across = this.apart();
    this.hole = Math.min(this.pitch * 0.22, this.across * 0.2);
    this.ring = Math.min(this.pitch * RING, this.across * BESIDE * 1.25);
  }

  // The pixels between two tracks.
  apart() {
    const [one, other] = this.drawing.tracks;
    if (!other) return this.pitch;
    const [a, b] = [this.at(one[0]), this.at(other[0])];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  /** @param {Point | Hole} place @returns {Point} */
  at([x, y]) {
    const right = this.x.at + (x - this.x.from) * this.x.by;
    if (!this.streets.length) return [round(right), round(this.top + y * this.x.by)];
    const street = this.street(y);
    const [from, to] = this.streets[street];
    return [round(right), round(this.top + street * (this.band + this.label) + this.label + ((y - from) / (to - from)) * this.band)];
  }

  /** @param {number} y */
  street(y) {
    const street = this.streets.findIndex(([, to]) => y <= to + 0.01);
    return street < 0 ? this.streets.length - 1 : street;
  }

  // The way of a track to an LED, from another or from the start; where a street ends it bends into the next.
  /** @param {number} track @param {number} led */
  way(track, led, from = -1) {
    const spots = this.drawing.tracks[track];
    const begin = from < 0 ? this.drawing.starts[track].slice(-1)[0] : spots[from];
    let last = this.at(begin);
    let d = `M${last}`;
    for (let at = from + 1; at <= led; at += 1) {
      const spot = this.at(spots[at]);
      const far = this.streets.length && at > 0 && this.street(spots[at][1]) !== this.street(spots[at - 1][1]);
      d += far ? this.bend(last, spot) : `L${spot}`;
      last = spot;
    }
    return d;
  }

  /** @param {Point} from @param {Point} to */
  bend([x, y], [toX, toY]) {
    if (Math.abs(toX - x) > this.pitch) return `L${toX},${toY}`; // a board whose streets all begin on one side
    const right = x > this.width / 2;
    const tall = Math.abs(toY - y) / 2;
    const room = (right ? this.width - x : x) - this.digits * 0.12;
    const wide = Math.min(tall, (room * tall) / (this.band + this.label / 2));
    return `A${round(wide)},${round(tall)} 0 0 ${right === toY > y ? 1 : 0} ${toX},${toY}`;
  }
}

// A span of the drawing, from and to, and the pixels that have to be free before and after it.
/** @typedef {[from: number, to: number, margin: number]} Span */

// The most pixels for a unit of the drawing with which all spans find room, and the pixels that they need.
/** @param {number} size @param {Span[]} spans */
const largest = (size, spans) => Math.min(...spans.flatMap(([from, , before]) => spans.map(([, to, after]) => (size - before - after) / (to - from))));
/** @param {Span[]} spans @param {number} by */
const needed = (spans, by) => Math.max(...spans.flatMap(([from, , before]) => spans.map(([, to, after]) => before + after + by * (to - from))));
// Where the drawing's 0 is, so that they lie in the middle.
/** @param {number} size @param {Span[]} spans @param {number} by */
const middle = (size, spans, by) => (Math.max(...spans.map(([from, , margin]) => margin - by * from)) + Math.min(...spans.map(([, to, margin]) => size - margin - by * to))) / 2;

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {number[]} values @returns {[number, number]} */
const ends = (values) => [Math.min(...values), Math.max(...values)];

/** @param {Pegs} state */
function pegWords(state) {
  const said = state.sides.map((side) => `${nameOf(side)}’s front peg in ${side.front || "the start"}, back peg in ${side.back || "the start"}`);
  return `The board to ${state.target}: ${said.join("; ")}.`;
}

/** @param {Point} place @param {number} radius @returns {Light} */
function light([x, y], radius) {
  return {
    radius,
    glow: svg("circle", { cx: x, cy: y, r: radius * 2.6, visibility: "hidden" }),
    lamp: svg("circle", { cx: x, cy: y, r: radius, visibility: "hidden" }),
  };
}

/** @param {Light} light @param {string} colour @param {number} level */
function shine({ glow, lamp, radius }, colour, level) {
  lamp.setAttribute("visibility", level ? "visible" : "hidden");
  glow.setAttribute("visibility", level > 0.45 ? "visible" : "hidden");
  lamp.toggleAttribute("data-grey", GREY.test(colour)); // a skunk line's light: the line itself is drawn
  if (!level) return;
  lamp.setAttribute("fill", colour);
  lamp.setAttribute("stroke", colour);
  lamp.setAttribute("r", String(radius * (0.75 + 0.55 * level)));
  glow.setAttribute("fill", colour);
  glow.setAttribute("opacity", String(0.3 * level));
}

/** @param {Drawing} drawing @param {Place} place */
function engraved(drawing, place) {
  /** @param {Point[]} points */
  const line = (points) => points.map((point) => place.at(point).join()).join(" ");
  const { digits, pitch } = place;
  const step = digits * 2 > pitch * 5 ? 10 : 5; // three digits are some 1.8 as wide as a line of them is high
  const labels = (drawing.texts ?? []).filter(({ words }) => Number(words) % step === 0);
  return svg("g", { class: "engraved" },
    drawing.bands.map((band) => svg("polygon", { points: line(band), class: "band" })),
    drawing.tracks.map((track, at) => svg("path", { d: place.way(at, track.length - 1), class: "groove", "stroke-width": round(place.hole * 1.1) })),
    (drawing.skunk ?? []).map(({ line: across }) => svg("polyline", { points: line(across), class: "skunk" })),
    numbers(drawing, place, labels));
}

// Where two would lie over each other, as on a 29, the first one is there.
/** @param {Drawing} drawing @param {Place} place @param {{ at: Point, words: string }[]} labels */
function numbers(drawing, place, labels) {
  const { digits, streets } = place;
  /** @type {Point[]} */
  const taken = [];
  return labels.map(({ at, words }) => {
    const hole = drawing.tracks[0][Number(words) - 1];
    const [x, y] = streets.length ? [place.at(hole)[0], place.at([hole[0], streets[place.street(hole[1])][0]])[1] - digits * 0.6] : place.at(at);
    if (taken.some(([left, top]) => Math.abs(left - x) < 1.5 * digits && Math.abs(top - y) < 0.8 * digits)) return null;
    taken.push([x, y]);
    return svg("text", { x, y, "font-size": digits }, words);
  });
}

// All in one path: they never change.
/** @param {Drawing} drawing @param {Place} place */
function holes(drawing, place) {
  /** @param {Point} centre @param {number} r */
  const around = ([x, y], r) => `M${round(x - r)},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;
  const all = [...drawing.tracks.flat(), ...drawing.starts.flat()];
  const size = drawing.tracks[0][0][2];
  return svg("path", { class: "holes", d: all.map((hole) => around(place.at(hole), round((place.hole * hole[2]) / size))).join("") });
}

// What an LED's bytes look like. A byte is light, a screen's number is a signal with gamma, and an eye gets used to a dim
// board.

const GAMMA = 2.2;

/** @param {string} base64 */
export function bytes(base64) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

// The brightest byte that this board has shown so far is full light, so that its brightness setting does not matter.
export class Eye {
  constructor() {
    this.most = 24;
  }

  /** @param {Uint8Array} track */
  see(track) {
    for (const byte of track) if (byte > this.most) this.most = byte;
  }

  // [colour, how bright from 0 to 1] of the LED at an index
  /** @param {Uint8Array} track @param {number} index @returns {[string, number]} */
  at(track, index) {
    const channels = [track[3 * index], track[3 * index + 1], track[3 * index + 2]];
    const most = Math.max(...channels);
    if (!most) return ["", 0];
    const level = Math.min(1, most / this.most) ** (1 / GAMMA);
    const lit = channels.map((byte) => Math.round(255 * (byte / most) ** (1 / GAMMA) * (0.35 + 0.65 * level)));
    return [`rgb(${lit.join(",")})`, level];
  }
}
