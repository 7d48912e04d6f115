// Shared by Play and Review: the table with its cards, the course of a hand, opinions about decisions.

import { Money, card, h, percent, say, shades } from "./chart.js";

export const $ = (id) => document.getElementById(id);

export async function api(url, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(url, options);
  const values = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw new Error(values.error ?? `the server answered ${answer.status}`);
  return values;
}

/** Show `text` as a problem, or take it away. */
export function problem(text = "") {
  $("problem").hidden = !text;
  $("problem").replaceChildren(...(text ? [h("span", {}, text), h("button", { type: "button", "aria-label": "Close", onclick: () => problem() }, "×")] : []));
}

export function kept(name, otherwise) {
  try { return localStorage.getItem(`sixmax-${name}`) ?? otherwise; } catch { return otherwise; }
}

/** The buttons of the unit; `show` draws anew. */
export function units(show) {
  const buttons = [...document.querySelectorAll("[data-unit]")];
  const set = (unit) => buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.unit === unit)));
  set(kept("unit", "bb"));
  buttons.forEach((button) => button.addEventListener("click", () => {
    try { localStorage.setItem("sixmax-unit", button.dataset.unit); } catch { /* a browser that keeps nothing */ }
    set(button.dataset.unit);
    show();
  }));
}

export const money = (table) => new Money(table.big_blind, kept("unit", "bb"));

/** Chips with their sign, in the unit of the page. */
export function signed(chips, unit) {
  const text = unit.plain(Math.abs(chips));
  return `${chips < 0 ? "−" : chips > 0 ? "+" : ""}${text}`;
}

/** The table, the person's seat at the bottom. */
export function felt(table, unit) {
  const { seats, pot, board, round } = table;
  const mine = Math.max(seats.findIndex((seat) => seat.mine), 0);
  const around = seats.flatMap((seat, k) => {
    const angle = Math.PI / 2 + (2 * Math.PI * (k - mine)) / seats.length;
    const place = (x, y) => ({ left: `${50 + x * Math.cos(angle)}%`, top: `${50 + y * Math.sin(angle)}%` });
    const kinds = [seat.acts && "acts", seat.folded && "folded", seat.mine && "mine"].filter(Boolean);
    const stack = seat.stack ? unit.plain(seat.stack) : "all-in";
    const cards = seat.cards.length ? seat.cards.map((name) => card(name)) : seat.folded ? [] : [h("i", { class: "back" }), h("i", { class: "back" })];
    return [
      h("li", { class: ["seat", ...kinds].join(" "), style: place(41, 39) },
        h("b", {}, seat.name, seat.button && h("i", { class: "button", title: "button" }, "D")),
        h("small", { title: seat.agent }, seat.agent),
        h("span", { class: "hole" }, cards),
        seat.won === null ? h("span", {}, seat.folded ? "folded" : stack)
          : h("span", { class: seat.won < 0 ? "gain minus" : "gain" }, signed(seat.won, unit))),
      seat.bet > 0 && h("li", { class: "bet", style: place(24, 19), "aria-label": `${seat.name} has bet ${unit.words(seat.bet)}` }, unit.plain(seat.bet)),
    ];
  });
  return [h("ul", { class: "seats" }, around.filter(Boolean)),
    h("div", { class: "middle" },
      h("div", { class: "board" }, board.length ? board.map((name) => card(name, true)) : h("span", { class: "round" }, round)),
      h("p", {}, h("span", {}, "pot "), h("b", {}, unit.words(pot))))];
}

/** The actions of a hand, a line each; `at` marks one. */
export function course(events, unit, mine, at = -1) {
  let round = "";
  const lines = events.flatMap((event, k) => {
    const head = event.round === round ? [] : [h("li", { class: "head" }, event.round)];
    round = event.round;
    return [...head, h("li", { class: event.seat === mine ? "mine" : null, "aria-current": k === at ? "step" : null }, h("span", {}, event.seat), h("span", {}, event.cut && h("small", { title: "Its search was ended early: the best strategy so far, here and until it searches again" }, "search cut short · "), say(event, unit)))];
  });
  return h("ol", {}, lines);
}

/** A mean in the unit of the page with half of its interval. */
export function spread(value, unit) {
  if (value === null) return "–";
  if (Math.max(Math.abs(value.mean), value.margin) < 0.5) return "0";
  return `${signed(value.mean, unit)} ± ${unit.plain(value.margin)}`;
}

/** An opinion about a decision: an action a row, with its share and worth. */
export function decision(value, unit, agent) {
  const colours = shades(value.options);
  const rows = value.options.map((option, k) => h("tr", { class: k === value.taken ? "taken" : null },
    h("td", {}, say(option, unit)),
    h("td", { class: "bar" }, h("i", { style: { width: `${100 * value.row[k]}%`, background: colours[k] } })),
    h("td", {}, percent(value.row[k])),
    h("td", {}, value.worth ? spread(value.worth[k], unit) : "–")));
  const done = value.taken === null ? null : say(value.options[value.taken], unit);
  return h("div", { class: "decision" },
    h("h3", {}, h("span", {}, value.round), value.board.map((name) => card(name)), h("small", {}, `pot ${unit.words(value.pot)}`),
      done && h("span", {}, done), value.cost && h("span", { class: "cost" }, `cost ${spread(value.cost, unit)}`)),
    h("table", {}, h("thead", {}, h("tr", {}, h("td", {}, agent), h("td", {}, ""), h("td", {}, "how often"), h("td", {}, `worth, ${unit.unit === "chips" ? "chips" : "bb"}`))),
      h("tbody", {}, rows.reverse())));
}

export const COST = "Worth: chips from here on, on average over the cards that you could not see, if all play the blueprint afterwards; a fold is 0. Cost: the worth of the strategy's own mix less that of your action; ± is half of a 95 % interval, below 0 yours is worth more.";
