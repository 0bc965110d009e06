// The board as it lies on the table: its holes where they are, each light from the true bytes of its strip.

import { fill, svg } from "./dom.js";
import { bytes, Eye } from "./light.js";
import { nameOf, path } from "./sides.js";

const RING_MM = 15; // the figure around a front peg
const AROUND = 12; // millimetres of ground around the outermost holes

export class Board {
  constructor(node, drawing, { crop = true } = {}) {
    this.node = node;
    this.drawing = drawing;
    this.eye = new Eye();
    this.tracks = drawing.tracks.map((track) => track.map((hole) => light(hole)));
    this.last = drawing.tracks.map(() => []);
    this.title = svg("title", { id: "board-title" });
    this.rings = svg("g", { class: "rings" });
    node.setAttribute("viewBox", (crop ? around(drawing) : [0, 0, ...drawing.size]).map((mm) => Math.round(mm * 10) / 10).join(" "));
    node.setAttribute("role", "img");
    node.setAttribute("aria-labelledby", "board-title");
    fill(node, this.title, engraved(drawing), holes(drawing),
      svg("g", { class: "glow" }, this.tracks.flat().map((one) => one.glow)),
      svg("g", { class: "lights" }, this.tracks.flat().map((one) => one.lamp)), this.rings);
  }

  // The frame of the strips, as `{"tracks": [base64 of RGB, …]}`.
  frame({ tracks }) {
    const read = tracks.map(bytes);
    for (const track of read) this.eye.see(track);
    read.forEach((track, at) => this.tracks[at]?.forEach((one, led) => {
      const [colour, level] = this.eye.at(track, led);
      const mark = colour + level;
      if (this.last[at][led] === mark) return;
      this.last[at][led] = mark;
      shine(one, colour, level);
    }));
  }

  // The figure of each side around its front peg: the colour is not the only sign.
  pegs(state) {
    const drawn = [];
    const taken = new Set(); // where several share a hole the strip lets them take turns
    state.sides.forEach((side, index) => {
      const track = index % this.tracks.length;
      const at = side.front ? this.hole(track, side.front, state.target) : this.drawing.starts[track]?.at(-1);
      if (!at || taken.has(at)) return;
      taken.add(at);
      const size = RING_MM / 24;
      const turn = `translate(${at[0]} ${at[1]}) scale(${size}) translate(-12 -12)`;
      drawn.push(svg("path", { d: path(side.colour), transform: turn, "data-colour": side.colour }));
      const behind = side.back ? this.hole(track, side.back, state.target) : this.drawing.starts[track]?.at(side.front ? -1 : -2);
      if (!behind || taken.has(behind)) return;
      taken.add(behind);
      const small = `translate(${behind[0]} ${behind[1]}) scale(${size * 0.72}) translate(-12 -12)`;
      drawn.push(svg("path", { d: path(side.colour), transform: small, "data-colour": side.colour, class: "back" }));
    });
    fill(this.rings, drawn);
    this.title.textContent = pegWords(state);
  }

  hole(track, hole, target) {
    const places = this.drawing.tracks[track];
    const round = places.length - 1;
    return hole === target && (target - 1) % round === 0 ? places[round] : places[(hole - 1) % round];
  }
}

function pegWords(state) {
  const said = state.sides.map((side) => `${nameOf(side)}’s front peg in ${side.front || "the start"}, back peg in ${side.back || "the start"}`);
  return `The board to ${state.target}: ${said.join("; ")}.`;
}

function light([x, y, radius]) {
  return {
    radius,
    glow: svg("circle", { cx: x, cy: y, r: radius * 3, visibility: "hidden" }),
    lamp: svg("circle", { cx: x, cy: y, r: radius, visibility: "hidden" }),
  };
}

function shine({ glow, lamp, radius }, colour, level) {
  lamp.setAttribute("visibility", level ? "visible" : "hidden");
  glow.setAttribute("visibility", level > 0.45 ? "visible" : "hidden");
  if (!level) return;
  lamp.setAttribute("fill", colour);
  lamp.setAttribute("r", radius * (0.7 + 0.75 * level));
  glow.setAttribute("fill", colour);
  glow.setAttribute("opacity", 0.26 * level);
}

const points = (line) => line.map(([x, y]) => `${x},${y}`).join(" ");

function engraved(drawing) {
  return svg("g", { class: "engraved" },
    drawing.bands.map((band) => svg("polygon", { points: points(band), class: "band" })),
    (drawing.skunk ?? []).map((line) => svg("polyline", { points: points(line.line ?? line), class: "skunk" })),
    (drawing.texts ?? []).map(({ at, words }) => svg("text", { x: at[0], y: at[1] }, words)));
}

function holes(drawing) {
  const all = [...drawing.tracks.flat(), ...drawing.starts.flat()];
  return svg("g", { class: "holes" }, all.map(([x, y, r]) => svg("circle", { cx: x, cy: y, r: (r ?? 3) * 0.5 })));
}

// The box of what is drawn, without the buttons' stretch of the wood.
function around(drawing) {
  const all = [...drawing.bands.flat(), ...drawing.tracks.flat(), ...drawing.starts.flat()];
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - AROUND, Math.min(...ys) - AROUND];
  return [left, top, Math.max(...xs) + AROUND - left, Math.max(...ys) + AROUND - top];
}
