// The chart of a strategy: a cell a hand class, filled by the frequencies of the actions.

import { ev, evOf, short as shortEv } from "./worth.js";

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, set] of Object.entries(value)) element.style.setProperty(key, set);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const percent = (share, digits = 0) => {
  const value = 100 * share;
  if (digits === 0 && value > 0 && value < 0.5) return "<1 %";
  return `${value.toFixed(digits)} %`;
};

/** Amounts in the unit that the reader chose. */
export class Money {
  constructor(bigBlind, unit, digits = 0) {
    this.bigBlind = bigBlind;
    this.unit = unit;
    this.digits = digits; // of chips in an EV
  }
  plain(chips) {
    if (this.unit === "chips") return chips.toLocaleString("en-US");
    return String(Number((chips / this.bigBlind).toFixed(2)));
  }
  words(chips) {
    return this.unit === "chips" ? `${this.plain(chips)} chips` : `${this.plain(chips)} bb`;
  }
}

const WORDS = { fold: "Fold", check: "Check", call: "Call", bet: "Bet", raise: "Raise", hold: "In range" };

/** An action as the table says it: "Raise 2.25 bb", or without the unit. */
export function say(option, money, unit = true) {
  const word = option.all_in ? "All-in" : WORDS[option.kind];
  return option.chips ? `${word} ${unit ? money.words(option.chips) : money.plain(option.chips)}` : word;
}

/** Whether it is a range alone, of a player who is not to act. */
export const holds = (strategy) => strategy.options[0].kind === "hold";

/** A colour for each of `options`: fold grey, call teal, raises from light to dark, all-in violet; a range blue. */
export function shades(options) {
  const sizes = options.filter((o) => (o.kind === "raise" || o.kind === "bet") && !o.all_in);
  return options.map((option) => {
    if (option.kind === "fold") return "var(--fold)";
    if (option.kind === "hold") return "color-mix(in oklab, var(--heat) 40%, var(--empty))";
    if (option.kind === "call" || option.kind === "check") return "var(--call)";
    if (option.all_in) return "var(--all-in)";
    const at = sizes.length > 1 ? sizes.indexOf(option) / (sizes.length - 1) : 0.4;
    return `color-mix(in oklab, var(--raise-low), var(--raise-high) ${Math.round(100 * at)}%)`;
  });
}

/** Bars from the largest raise on the left to the fold on the right, as a CSS background. */
export function fill(row, colours) {
  const stops = [];
  let at = 0;
  for (let k = row.length - 1; k >= 0; k--) {
    if (row[k] <= 0) continue;
    const end = Math.min(at + 100 * row[k], 100);
    stops.push(`${colours[k]} ${at.toFixed(2)}% ${end.toFixed(2)}%`);
    at = end;
  }
  return stops.length ? `linear-gradient(to right, ${stops.join(", ")})` : "none";
}

/** One row of bars with numbers: an action a line; `values` are rows of EV, if known. */
export function bars(options, row, colours, money, values) {
  return h("ul", { class: values?.length > 1 ? "bars valued" : "bars" }, options.map((option, k) => [k, option]).reverse().map(([k, option]) =>
    h("li", {},
      h("span", { class: "what" }, say(option, money)),
      h("span", { class: "track" }, h("i", { style: { width: `${100 * row[k]}%`, background: colours[k] } })),
      h("b", {}, percent(row[k], 1)), values && evOf(values, k, money))));
}

const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };

export function card(name, big = false) {
  const [sign, suit] = SUITS[name[1]];
  return h("span", { class: `card-${big ? "big" : "small"} suit-${name[1]}`, role: "img", "aria-label": `${name[0]} of ${suit}` },
    name[0].replace("T", "10"), h("i", { "aria-hidden": "true" }, sign));
}

export const pair = (cards) => [card(cards.slice(0, 2)), card(cards.slice(2, 4))];

function share(row, options, kinds) {
  return options.reduce((sum, option, k) => sum + (kinds.includes(option.kind) ? row[k] : 0), 0);
}

const KINDS = { raise: ["raise", "bet"], call: ["call", "check"], fold: ["fold"] };

/** The small number in a cell. */
function number(strategy, k, wanted, money) {
  const row = strategy.classes[k];
  if (!wanted || row === null) return "";
  if (wanted === "reach") return Math.round(100 * strategy.reach[k]);
  if (wanted === "equity") return strategy.ev?.equity?.classes[k] ? Math.round(strategy.ev.equity.classes[k][0][0]) : "";
  if (wanted === "ev") {
    const values = strategy.ev ? strategy.ev.classes[k] : null;
    return values === null ? "" : shortEv(values[0], money);
  }
  return Math.round(100 * share(row, strategy.options, KINDS[wanted])) || "";
}

/** A grid of hand classes; `show(k)` is called for the class under pointer, finger or focus. */
export function chart(strategy, names, view, show) {
  const ranks = Math.round(Math.sqrt(names.length));
  const most = Math.max(...strategy.reach, 1e-9);
  const colours = shades(strategy.options);
  const cells = names.map((name, k) => {
    const row = strategy.classes[k];
    // A class that seldom comes here is filled from below, by its reach beside the largest.
    const reach = strategy.reach[k] / most, height = row === null ? 0 : reach >= 0.02 ? Math.max(reach, 0.06) : reach;
    const spoken = row === null ? `${name}: blocked by the board` : `${name}: ${
      strategy.options.map((option, a) => `${say(option, view.money)} ${percent(row[a])}`).reverse().join(", ")
    }; ${strategy.search ? "belief" : "reach"} ${percent(strategy.reach[k])}${strategy.ev?.classes[k] ? `; EV ${ev(strategy.ev.classes[k][0], view.money)}` : ""}`;
    return h("button", {
      type: "button", class: row === null ? "cell blocked" : height ? "cell" : "cell never", role: "gridcell", "data-class": k,
      tabindex: -1, "aria-label": spoken,
      style: row === null ? {} : { "background-image": fill(row, colours), "background-size": `100% ${(100 * height).toFixed(1)}%` },
    }, h("b", {}, name), view.numbers && h("small", {}, String(number(strategy, k, view.numbers, view.money))));
  });
  const rows = Array.from({ length: ranks }, (_, r) => h("div", { role: "row", class: "line" }, cells.slice(r * ranks, (r + 1) * ranks)));
  const grid = h("div", { class: "grid", role: "grid", "aria-label": `${strategy.label}: a cell for each hand class`, style: { "--ranks": ranks } }, rows);
  const at = (event) => event.target.closest("[data-class]");
  // Not pointerover: a page that scrolls under a pointer at rest would take the cell from the keys.
  let under = -1;
  grid.addEventListener("pointermove", (event) => {
    const k = at(event) ? Number(at(event).dataset.class) : under;
    if (k !== under) show((under = k), false);
  });
  grid.addEventListener("pointerleave", () => { under = -1; });
  grid.addEventListener("focusin", (event) => at(event) && show(Number(at(event).dataset.class), false));
  grid.addEventListener("click", (event) => at(event) && show(Number(at(event).dataset.class), true));
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -ranks, ArrowDown: ranks }[event.key];
    if (step === undefined || !at(event)) return;
    const from = Number(at(event).dataset.class), to = from + step;
    event.preventDefault();
    if (to < 0 || to >= cells.length || (Math.abs(step) === 1 && Math.floor(to / ranks) !== Math.floor(from / ranks))) return;
    cells[to].focus();
  });
  return grid;
}

/** A small map of a range: darker cells are likelier, combo for combo. */
export function heat(values, names, label) {
  const ranks = Math.round(Math.sqrt(names.length));
  return h("div", { class: "heat", role: "img", "aria-label": label, style: { "--ranks": ranks } },
    values.map((value, k) => h("i", { title: `${names[k]} ${percent(value)}`, style: { "--share": `${Math.round(100 * value)}%` } })));
}

/** All combos of a class: cards, bucket, bars, frequencies, value. */
export function combos(strategy, k, money) {
  const holes = (strategy.holes || {})[k];
  if (!holes) return null;
  const colours = shades(strategy.options);
  const values = strategy.ev?.holes ? strategy.ev.holes[k] : null, equity = strategy.ev?.equity?.holes?.[k];
  const order = holds(strategy) ? [] : strategy.options.map((option, a) => a).reverse();
  return h("div", { class: "scroll" }, h("table", { class: "combos" },
    h("caption", {}, `Combos, ${strategy.label}`),
    h("thead", {}, h("tr", {}, h("th", {}, "hand"), strategy.buckets > 0 && h("th", {}, "bucket"), h("th", {}, strategy.search ? "belief" : "reach"),
      order.map((a) => h("th", {}, h("i", { class: "chip", style: { background: colours[a] } }), short(strategy.options[a], money))), values && h("th", {}, "EV"), equity && h("th", {}, "equity"))),
    h("tbody", {}, holes.map(([cards, bucket, reach, row], i) => h("tr", {},
      h("th", {}, pair(cards)), strategy.buckets > 0 && h("td", {}, String(bucket)), h("td", {}, percent(reach)),
      order.map((a) => h("td", { class: row[a] >= 0.5 ? "much" : null }, percent(row[a]), values?.[i]?.length > 1 && h("small", {}, parts(ev(values[i][a + 1], money))))),
      values && h("td", {}, values[i] === null ? "–" : twice(ev(values[i][0], money))),
      equity && h("td", {}, equity[i] === null ? "–" : `${equity[i][0][0].toFixed(1)} %`))))));
}

/** A mean, and its ± apart: a narrow screen leaves it out. */
function parts(text) {
  const [mean, margin] = text.split(" ±");
  return [mean, margin && h("span", { class: "margin" }, ` ±${margin}`)];
}

/** A mean, and its ± in a line below it. */
function twice(text) {
  const [mean, margin] = text.split(" ±");
  return [mean, margin && h("small", {}, `±${margin}`)];
}

/** An action in few letters, beside its colour: "2.25". */
function short(option, money) {
  if (option.all_in) return "all-in";
  return option.kind === "bet" || option.kind === "raise" ? money.plain(option.chips) : option.kind;
}
