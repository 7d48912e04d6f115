// Play: a session of the server; its name is in the address, and all it may show comes from there.

import { h, percent, say } from "./chart.js";
import { $, COST, api, course, decision, felt, money, problem, signed, units } from "./seat.js";

const state = { name: "", hand: null, hint: null, review: null, score: null, busy: false };
const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 260; // ms after an agent's action

const url = (what = "") => `/api/play/${state.name}${what && `/${what}`}`;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function show() {
  const { hand } = state;
  for (const id of ["table", "log"]) $(id).hidden = !hand;
  $("welcome").hidden = Boolean(hand) || Boolean(state.name);
  if (!hand) return;
  const unit = money(hand.table), mine = hand.table.seats.find((seat) => seat.mine);
  $("table").replaceChildren(...felt(hand.table, unit));
  $("log").replaceChildren(h("h2", {}, `Hand ${hand.number}`, h("small", {}, `seed ${hand.seed}`)), course(hand.events, unit, mine.name));
  $("turn").hidden = false;
  $("turn").replaceChildren(...turn(hand, unit));
  $("review").hidden = !state.review && !state.hint;
  $("review").replaceChildren(...opinions(hand, unit));
  showResult();
  document.title = hand.mine ? "Your turn · sixmax" : `Hand ${hand.number} · sixmax`;
}

/** Alone, because it may come while the person types a size. */
function showResult() {
  $("result").hidden = !state.score;
  if (state.score) $("result").replaceChildren(...result(state.score, money(state.hand.table)));
}

/** The actions open to the person now. */
function turn(hand, unit) {
  if (hand.over) {
    const next = h("button", { type: "button", class: "primary", id: "next", disabled: hand.last, onclick: deal }, "Next hand");
    return [h("h2", {}, "The hand is over", h("small", {}, hand.last && "begin another session")), h("div", { class: "keys" }, next)];
  }
  if (!hand.mine) {
    const actor = hand.table.seats.find((seat) => seat.acts)?.name ?? "";
    if (!hand.thinking) return [h("h2", { class: "waiting" }, `${actor} is to act`)];
    return [h("h2", { class: "waiting" }, `${actor} searches …`, h("small", { id: "searching" })),
      h("progress", { id: "share", max: 1, "aria-label": "Progress of the search" }),
      h("div", { class: "keys" }, h("button", { type: "button", id: "enough", title: "End the search: the agent plays by the strategy that it has found so far", onclick: enough }, "Play now", h("small", {}, "X")))];
  }
  const bet = !hand.to_call && hand.table.round !== "preflop" ? "bet" : "raise";
  const button = (text, word, id, small) => h("button", { type: "button", id, onclick: () => act(word) }, text, small && h("small", {}, small));
  const [low, high] = hand.raise;
  const small = { min: "smallest", half: "half the pot", pot: "the pot", "all-in": "A" };
  const sizes = Object.entries(hand.sizes).filter(([word, chips]) => chips < high || word === "all-in")
    .map(([word, chips]) => button(say({ kind: bet, chips, all_in: chips === high }, unit), `r ${word}`, `size-${word}`, small[word]));
  const field = low === undefined ? null : h("form", { onsubmit: (event) => { event.preventDefault(); act(`r ${event.target.elements.size.value}`); } },
    h("input", { id: "size", name: "size", autocomplete: "off", maxlength: 20, placeholder: "300, 3bb, 75%", "aria-label": `${bet} to another size` }),
    h("button", { type: "submit", id: "go" }, bet === "bet" ? "Bet" : "Raise"));
  return [h("h2", {}, "Your turn", h("small", {}, hand.to_call ? `${unit.words(hand.to_call)} to call` : "nothing to call")),
    h("div", { class: "keys" },
      hand.legal.includes("fold") && button("Fold", "f", "fold", "F"),
      hand.legal.includes("call") ? button(`Call ${unit.words(hand.to_call)}`, "c", "call", "C") : button("Check", "c", "call", "C"),
      sizes, field, h("button", { type: "button", id: "hint", onclick: hint }, "Opinion", h("small", {}, "O")),
      h("span", { class: "wide" }, low === undefined ? "No raise is legal here." : low === high ? `The one legal size is ${unit.words(low)}, all-in.` : `Any size from ${unit.words(low)} to ${unit.words(high)} of this round; a number alone is chips.`))];
}

function opinions(hand, unit) {
  if (state.review) {
    const rows = state.review.decisions.map((value) => decision(value, unit, hand.opinion));
    return [h("h2", {}, "Your decisions", h("small", {}, `by ${hand.opinion}`)), ...(rows.length ? rows : [h("p", { class: "note" }, "You had none.")]), h("p", { class: "note" }, COST)];
  }
  return state.hint ? [h("h2", {}, "Opinion", h("small", {}, `by ${hand.opinion}, counted as help`)), decision(state.hint, unit, hand.opinion), h("p", { class: "note" }, COST)] : [];
}

function rate(value) {
  if (!value) return "–";
  const whole = (x) => `${x < 0 ? "−" : "+"}${Math.abs(Math.round(x)).toLocaleString("en-US")}`;
  return value.low === null ? `${whole(value.mean)}` : `${whole(value.mean)} (${whole(value.low)} to ${whole(value.high)})`;
}

function result(score, unit) {
  const hands = `${score.hands} hand${score.hands === 1 ? "" : "s"}`;
  return [h("h2", {}, "Result", h("small", {}, "mbb/hand, 95 % interval")),
    h("dl", { class: "figures" },
      h("dt", {}, hands), h("dd", {}, `${signed(score.chips, unit)} ${unit.unit === "chips" ? "chips" : "bb"}`),
      h("dt", {}, "as the cards fell"), h("dd", { id: "won" }, rate(score.won)),
      h("dt", {}, "luck taken off by AIVAT"), h("dd", { id: "adjusted" }, score.late ? "…" : score.adjusted ? rate(score.adjusted) : "–"),
      score.helped > 0 && h("dt", {}, "help asked for"), score.helped > 0 && h("dd", {}, String(score.helped))),
    h("p", { class: "note" }, score.why || (score.late ? "AIVAT is at work; the first time its kernels compile, for minutes, while you play on." : "")),
    h("p", { class: "note" }, "Save the hands: ", h("a", { href: url("hands.log"), download: "hands.log" }, "ACPC log"), ", ", h("a", { href: url("hands.phhs"), download: "hands.phhs" }, "PHH"))];
}

/** Do `work`, which asks the server; one thing at a time, and a refusal is shown. */
async function once(work) {
  if (state.busy) return;
  state.busy = true;
  try {
    problem();
    await work();
  } catch (error) {
    problem(error.message);
  } finally {
    state.busy = false;
  }
}

/** Show how far the search is until `answer` comes. */
async function watch(answer) {
  let open = true;
  const close = () => { open = false; };
  answer.then(close, close);
  while (open) {
    await wait(250);
    const far = open && $("share") && await api(url("progress")).catch(() => null);
    if (!far || !open || !$("share")) continue;
    if (far.total) $("share").value = far.share;
    $("searching").textContent = `${far.total ? percent(far.share) : "prepares"}, ${far.seconds.toFixed(0)} s`;
  }
}

async function enough() {
  $("enough").disabled = true;
  await api(url("enough"), {}).catch((error) => problem(error.message));
}

/** Let agents act until the person is to act, or the hand is over. */
async function follow() {
  const { name } = state;
  show();
  while (!state.hand.over && !state.hand.mine) {
    if (PAUSE) await wait(PAUSE);
    const answer = api(url("step"), {});
    if (state.hand.thinking) watch(answer);
    const hand = await answer;
    if (state.name !== name) return;
    state.hand = hand;
    show();
  }
  if (state.hand.mine) $("status").textContent = "Your turn";
  if (state.hand.over) await ended(name);
}

async function ended(name) {
  $("status").textContent = "The hand is over";
  $("next")?.focus({ preventScroll: true });
  const review = await api(url("review"));
  if (state.name !== name) return;
  state.review = review;
  show();
  $("next")?.focus({ preventScroll: true });
  scored(name).catch((error) => problem(error.message));
}

/** Ask for the result until AIVAT has scored all hands, or a later hand asks. */
async function scored(name) {
  const asked = (state.asked = {});
  do {
    const score = await api(url("score"));
    if (state.name !== name || state.asked !== asked) return;
    state.score = score;
    showResult();
    if (score.late) await wait(1500);
  } while (state.asked === asked && state.score?.late);
}

const act = (text) => once(async () => {
  state.hand = await api(url("act"), { text });
  state.hint = null;
  await follow();
});
const hint = () => once(async () => {
  state.hint = await api(url("hint"), {});
  state.hand = await api(url());
  show();
});
const deal = () => once(async () => {
  state.hand = await api(url("next"), {});
  state.hint = state.review = null;
  await follow();
});

function begin(values) {
  return once(async () => {
    const { name, ...hand } = await api("/api/play", values);
    Object.assign(state, { name, hand, hint: null, review: null, score: null });
    history.pushState(null, "", `/play?table=${name}`);
    await follow();
  });
}

$("against").addEventListener("change", (event) => { $("each").hidden = event.target.value !== ""; });
$("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  const each = [...document.querySelectorAll("[data-chair]")].map((select) => select.value);
  const values = { against: $("against").value ? [$("against").value] : each, seat: $("seat").value, opinion: $("opinion").value, setting: $("setting").value };
  const seed = $("seed").value.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) return problem("seed: wanted a number");
  begin(seed ? { ...values, seed: Number(seed) } : values);
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey || !state.hand) return;
  const press = { f: "fold", c: "call", a: "size-all-in", o: "hint", n: "next", x: "enough" }[event.key.toLowerCase()];
  if (press && $(press)) { event.preventDefault(); $(press).click(); }
  if (event.key.toLowerCase() === "r" && $("size")) { event.preventDefault(); $("size").focus(); }
});
addEventListener("popstate", open);
units(show);

/** Open the session of the address, if there is one. */
function open() {
  const name = new URLSearchParams(location.search).get("table") ?? "";
  Object.assign(state, { name, hand: null, hint: null, review: null, score: null });
  for (const id of ["turn", "review", "result"]) $(id).hidden = true;
  show();
  if (name) once(async () => { state.hand = await api(url()); await follow(); });
}
open();
