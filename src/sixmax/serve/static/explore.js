// Explore: the page's address is a spot; the server says all about it, this draws it.

import { Money, bars, chart, combos, h, heat, holds, percent, shades } from "./chart.js";
import { actions, means, path, picker, table } from "./table.js";
import { Worth, ev } from "./worth.js";

const $ = (id) => document.getElementById(id);
const SEEN = { flop: [0, 3], turn: [3, 4], river: [4, 5] };
// A solved endgame has two players, exact EV that is asked for at once, chips, and no search.
const SOLVED = Boolean($("solved"));
const state = { spot: null, focus: 0, hold: false, unit: kept("unit", "bb"), numbers: kept("numbers", ""), redeal: null, asked: null, poll: 0 };

function kept(name, otherwise) {
  try { return localStorage.getItem(`sixmax-${name}`) ?? otherwise; } catch { return otherwise; }
}
function keep(name, value) {
  try { localStorage.setItem(`sixmax-${name}`, value); } catch { /* a browser that keeps nothing */ }
}

async function api(url, body, signal) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(url, { ...options, signal });
  const values = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw new Error(values.error ?? `the server answered ${answer.status}`);
  return values;
}

const queryOf = (fields) => {
  const text = new URLSearchParams(Object.entries(fields).filter(([, value]) => value)).toString();
  // Slashes may stand as they are in a query, and read better.
  return text ? `?${text.replaceAll("%2F", "/")}` : "";
};
const keptFields = () => {
  const { agent, beside } = state.spot ? state.spot.address : {};
  return { agent, beside };
};

/** Show the spot of `fields`; `history` is "push", "replace" or "". */
async function go(fields, history = "push") {
  state.asked?.abort();
  const asked = (state.asked = new AbortController());
  const query = queryOf(fields);
  try {
    const spot = await api(`/api/spot${query}`, null, asked.signal);
    if (history === "push" && `${query}` !== location.search) window.history.pushState(null, "", `/explore${query}`);
    if (history === "replace") window.history.replaceState(null, "", `/explore${query}`);
    $("problem").hidden = true;
    worth.leave();
    state.spot = spot;
    state.redeal = null;
    draw();
  } catch (error) {
    if (error.name !== "AbortError") problem(error.message);
  }
}

function problem(message) {
  const box = $("problem");
  box.replaceChildren(h("span", {}, message), state.spot
    ? h("button", { type: "button", "aria-label": "Close", onclick: () => { box.hidden = true; } }, "×")
    : link({ actions: "", board: "" }, {}, "Begin a hand"));
  box.hidden = false;
}

/** A link to a spot that the browser can also open in another tab. */
function link(address, attributes, ...children) {
  const fields = { ...address, ...keptFields() };
  return h("a", { ...attributes, href: `/explore${queryOf(fields)}`, onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(fields);
  } }, ...children);
}

/** Of a solved endgame in chips, with more places in a small pot. */
const moneyOf = (spot) => SOLVED
  ? new Money(spot.table.big_blind, "chips", Math.min(2, Math.max(0, 4 - String(spot.table.big_blind).length)))
  : new Money(spot.table.big_blind, state.unit);

function draw() {
  const { spot } = state, money = moneyOf(spot);
  for (const job of spot.search ?? []) if (job.state === "done") add(job);
  worth.attach();
  const focused = document.activeElement?.closest("#path, #actions")?.id;
  $("path").replaceChildren(link({ actions: "", board: "" }, { class: "step begin", "aria-label": "Begin anew" }, h("b", {}, "↺"), h("span", {}, "start")), ...path(spot, money, link, (round) => { state.redeal = round; draw(); }));
  $("path").scrollLeft = $("path").scrollWidth;
  $("table").replaceChildren(...table(spot, money));
  const decides = spot.state === "decide" && !state.redeal;
  $("actions").hidden = $("charts-card").hidden = $("worth").hidden = $("detail").hidden = !decides;
  $("search").hidden = !decides || SOLVED;
  $("deal").hidden = !(spot.state === "deal" || state.redeal);
  $("actions").replaceChildren(...(decides ? actions(spot, money, link, (text, enter) => typed(text, enter, money)) : []));
  $("deal").replaceChildren(...($("deal").hidden ? [] : [deal()]));
  $("agent").value = spot.address.agent ?? "blueprint";
  $("beside").value = spot.address.beside ?? "";
  $("numbers").value = state.numbers;
  if (decides) drawCharts(money);
  drawBeliefs();
  drawSearch();
  if (decides) worth.show(SOLVED || state.numbers === "ev");
  const now = spot.state === "decide" ? `${spot.now.seat} to act` : spot.state === "deal" ? `${spot.table.round} to be dealt` : spot.table.result;
  $("status").textContent = `${now}; pot ${money.words(spot.table.pot)}`;
  document.title = `${now} · ${spot.address.actions || "start"} · sixmax`;
  if (focused) ($(focused).querySelector(".now .choice, .tile") ?? $("path").lastElementChild).focus?.({ preventScroll: true });
}

function drawCharts(money) {
  const { spot } = state, view = { focus: state.focus, numbers: state.numbers, money };
  $("charts").replaceChildren(...spot.strategies.map((strategy) => {
    const colours = shades(strategy.options);
    const key = strategy.options.map((option, k) => h("li", {}, h("i", { class: "chip", style: { background: colours[k] } }), h("span", {}, sayShort(option, money)), h("b", {}, percent(strategy.total[k], 1)))).reverse();
    return h("figure", { class: "chart" },
      h("figcaption", {}, h("b", {}, strategy.label), strategy.waits && h("span", {}, "its round is over here: it checks or calls"),
        strategy.ev && h("span", {}, `EV ${ev(strategy.ev.range[0], money)} ${money.unit}`),
        strategy.ev?.equity && h("span", { title: "The share of the pot if all check from here on, over all boards" }, `equity ${strategy.ev.equity.range[0][0].toFixed(1)} %`),
        !strategy.search && h("span", { title: "Combos that come here, each counted by its reach" }, `${strategy.combos_in_range.toLocaleString("en-US")} combos in range`)),
      chart(strategy, spot.names, view, (k, hold) => focus(k, hold, money)),
      !holds(strategy) && h("ul", { class: "key" }, key));
  }));
  const never = spot.strategies.some((s) => s.combos_in_range === 0);
  $("chart-note").textContent = never
    ? "No hand of the strategy comes here: rows are those of hands that would have played otherwise."
    : `The height of a cell's colour is its reach: how often the hand is played this way so far, ${SOLVED ? "by its weight in the range, " : ""}beside the hand that comes most.${SOLVED ? "" : " Of a search it is the belief."}`;
  focus(state.focus, state.hold, money);
}

const sayShort = (option, money) => (option.all_in ? "all-in" : option.chips ? `${option.kind} ${money.plain(option.chips)}` : option.kind);

/** Show the class `k` under the chart; a tap or click holds it. */
function focus(k, hold, money) {
  if (state.hold && !hold && k !== state.focus && document.activeElement?.dataset.class !== String(k)) state.hold = false;
  state.focus = k;
  state.hold = hold;
  document.body.classList.toggle("touched", hold);
  for (const cell of document.querySelectorAll(".cell.here")) { cell.classList.remove("here"); cell.tabIndex = -1; }
  for (const cell of document.querySelectorAll(`.cell[data-class="${k}"]`)) { cell.classList.add("here"); cell.tabIndex = 0; }
  const { spot } = state, search = spot.strategies.find((s) => s.search);
  const parts = spot.strategies.map((strategy) => {
    const row = strategy.classes[k];
    const several = spot.strategies.length > 1 && h("h3", {}, strategy.label);
    if (row === null) return h("div", { class: "one" }, several, h("p", { class: "note" }, "The board holds its cards."));
    if (SOLVED && !strategy.holes[k].some(([, , reach]) => reach > 0)) return h("div", { class: "one" }, several, h("p", { class: "note" }, "Never comes here."));
    const facts = [`${strategy.search ? "belief, beside the likeliest hand," : "reach"} ${percent(strategy.reach[k], 1)}`, `${strategy.combos[k]} combos`];
    const values = strategy.ev?.classes[k] ?? undefined;
    if (values) facts.push(`EV ${ev(values[0], money)} ${money.unit}`);
    if (strategy.ev?.equity?.classes[k]) facts.push(`equity ${strategy.ev.equity.classes[k][0][0].toFixed(1)} %`);
    return h("div", { class: "one" }, several, !holds(strategy) && bars(strategy.options, row, shades(strategy.options), money, values), h("p", { class: "facts" }, facts.join(" · ")), combos(strategy, k, money));
  });
  const beliefs = search && h("p", { class: "facts" }, "beliefs, beside the likeliest hand of each seat: ", search.beliefs.map((b) => `${b.seat} ${percent(b.grid[k])}`).join(", "));
  const close = h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => { document.activeElement.blur(); focus(k, false, money); } }, "×");
  $("detail").replaceChildren(close, h("h2", {}, spot.names[k]), h("div", { class: "ones" }, parts), beliefs ?? "");
}

function deal() {
  const { spot } = state, round = state.redeal ?? spot.table.round, [from, to] = SEEN[round];
  const ranks = Math.round(Math.sqrt(spot.names.length)), board = spot.table.board;
  const chosen = state.redeal ? board.slice(from, to) : [], others = board.filter((_, k) => k < from || (state.redeal && k >= to));
  const done = (text) => {
    const cards = [board.slice(0, from).join(""), text, state.redeal ? board.slice(to).join("") : ""].join("");
    const slash = spot.state === "deal" && !spot.address.actions.endsWith("/") && !state.redeal ? "/" : "";
    go({ ...spot.address, actions: (spot.address.actions ?? "") + slash, board: cards });
  };
  return picker(ranks, to - from, `The ${round}`, others, chosen, done, state.redeal ? () => { state.redeal = null; draw(); } : null);
}

let typing = 0;
/** A typed size: on Enter the spot after it, else its translation under the field. */
async function typed(text, enter, money) {
  clearTimeout(typing);
  const ask = async () => {
    if (!text.trim()) return;
    const size = await api(`/api/size${queryOf({ ...state.spot.address, text })}`).catch((error) => ({ error: error.message }));
    if (enter && size.error) problem(size.error);
    else if (enter) go(size.address);
    else if ($("size-means")) $("size-means").textContent = size.error ?? means(size, money);
  };
  if (enter) await ask();
  else typing = setTimeout(ask, 120);
}

/** Set the result of a search beside the strategies of the spot. */
function add(job) {
  const { spot } = state;
  if (spot.strategies.some((s) => s.search === job.id)) return;
  // One with values takes the place of the same search without them.
  spot.strategies = spot.strategies.filter((s) => s.name !== job.result.label);
  spot.strategies.push({ ...job.result, search: job.id, name: job.result.label });
}

function drawBeliefs() {
  const search = state.spot.strategies.findLast((s) => s.search);
  $("beliefs").hidden = !search;
  if (!search) return;
  $("beliefs").replaceChildren(h("h2", {}, "Beliefs", h("small", {}, "each seat's hands, as the search has them")),
    h("div", { class: "heats" }, search.beliefs.map((belief) => h("figure", {},
      heat(belief.grid, state.spot.names, `Hands of ${belief.seat}`), h("figcaption", {}, belief.seat)))),
    h("p", { class: "note" }, "The stronger the colour, the likelier, combo for combo; by Bayes' rule from the strategies played so far."));
}

const live = (job) => job.state === "running" || job.state === "waiting";

function drawSearch() {
  const jobs = state.spot.search ?? [], job = jobs.find(live) ?? jobs.at(-1), busy = job && live(job);
  clearTimeout(state.poll);
  if (!$("search-note")) return;
  $("search-go").hidden = Boolean(busy);
  $("search-cancel").hidden = $("search-progress").hidden = !busy;
  if (busy) {
    $("search-progress").value = job.share;
    $("search-note").textContent = job.state === "waiting" ? "Waits for the search before it." : job.values || job.share === 1 ? `Values of all hands, ${job.seconds.toFixed(0)} s` : `Search ${Math.max(job.search, 1)}: ${percent(job.share)}, ${job.seconds.toFixed(0)} s${job.search ? "" : "; the first one compiles"}`;
    state.poll = setTimeout(() => poll(job.id), 250);
  } else if (job?.state === "done") {
    const { values } = job.result;
    const ev = "EV counts chips from here on, when all play the search's strategy; a fold is 0.";
    $("search-note").replaceChildren(`Done in ${job.seconds} s. `, values === "ready" ? ev : values === "none" ? "This solver samples, so it has no exact EV." : "", values !== "on request" ? "" : h("button", { type: "button", onclick: () => search(job.setting, true) }, "EV of every hand"));
  } else if (job) {
    $("search-note").textContent = job.state === "cancelled" ? "Cancelled." : job.error;
  } else {
    $("search-note").textContent = "Solves this spot in real time, for every hand.";
  }
}

async function poll(id) {
  const { spot } = state;
  let job;
  try { job = await api(`/api/search/${id}`); } catch (error) { problem(error.message); return; }
  if (spot !== state.spot) return; // the reader went on
  note(job);
}

function note(job) {
  const { spot } = state;
  spot.search = [...(spot.search ?? []).filter((j) => j.id !== job.id), job];
  if (job.state === "done") draw();
  else drawSearch();
}

async function search(setting, values) {
  const { actions, board } = state.spot.address;
  try {
    note(await api("/api/search", { actions: actions ?? "", board: board ?? "", setting, values }));
  } catch (error) { problem(error.message); }
}
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  search($("setting").value, false);
});
$("search-cancel").addEventListener("click", async () => {
  const job = (state.spot.search ?? []).find(live);
  if (!job) return;
  try { note(await api(`/api/search/${job.id}/cancel`, {})); } catch (error) { problem(error.message); }
});
for (const name of ["agent", "beside"]) $(name).addEventListener("change", () => {
  const fields = { ...state.spot.address, [name]: $(name).value };
  if (fields.agent === "blueprint") delete fields.agent;
  go(fields);
});
$("numbers").addEventListener("change", () => { state.numbers = $("numbers").value; keep("numbers", state.numbers); draw(); });
for (const button of document.querySelectorAll("[data-unit]")) button.addEventListener("click", () => { state.unit = button.dataset.unit; keep("unit", state.unit); units(); if (state.spot) draw(); });
function units() {
  for (const button of document.querySelectorAll("[data-unit]")) button.setAttribute("aria-pressed", String(button.dataset.unit === state.unit));
}
const worth = new Worth(state, api, problem, draw);
window.addEventListener("popstate", () => go(Object.fromEntries(new URLSearchParams(location.search)), ""));
units();
go(Object.fromEntries(new URLSearchParams(location.search)), "");
