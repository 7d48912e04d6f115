// Review: a file of hands, stepped through with an agent's opinion.

import { h, card } from "./chart.js";
import { $, COST, api, decision, felt, money, problem, signed, units } from "./seat.js";

const LARGEST = 1 << 20; // characters of a file, as the server takes them
const state = { name: "", hands: [], at: 0, step: 0, hand: null };

const players = () => [...new Set(state.hands.flatMap((hand) => hand.names.filter((_, k) => hand.cards[k].length)))];
const seatOf = (hand) => hand.names.findIndex((name, k) => name === $("player").value && hand.cards[k].length);

async function read(file) {
  if (file.size > LARGEST) return problem(`${file.name}: wanted a file of ${LARGEST >> 20} MiB at most`);
  try {
    problem();
    const { name, hands } = await api("/api/review", { text: await file.text() });
    Object.assign(state, { name, hands, at: 0 });
  } catch (error) {
    return problem(`${file.name}: ${error.message}`);
  }
  const names = players();
  if (!names.length) return problem(`${file.name}: no player's cards are shown`);
  $("player").replaceChildren(...names.map((name) => h("option", {}, name)));
  if (names.includes("you")) $("player").value = "you";
  $("choose").hidden = $("hands").hidden = false;
  await choose(Math.max(state.hands.findIndex((hand) => seatOf(hand) >= 0), 0));
}

/** Show hand number `k` of the file. */
async function choose(k) {
  state.at = k;
  list();
  const seat = seatOf(state.hands[k]);
  if (seat < 0) { state.hand = null; return show(); }
  try {
    $("status").textContent = "thinking";
    const query = new URLSearchParams({ seat, agent: $("opinion").value });
    const hand = await api(`/api/review/${state.name}/${k}?${query}`);
    if (state.at !== k) return;
    Object.assign(state, { hand, step: hand.decisions[0]?.at ?? 0 });
    $("status").textContent = `hand ${state.hands[k].number}`;
    problem();
    show();
  } catch (error) {
    problem(error.message);
  }
}

function list() {
  const unit = state.hand ? money(state.hand.steps[0]) : null;
  $("hands").replaceChildren(h("h2", {}, "Hands", h("small", {}, String(state.hands.length))), h("ol", {}, state.hands.map((hand, k) => {
    const seat = seatOf(hand);
    return h("li", {}, h("button", { type: "button", "data-hand": k, "aria-current": k === state.at ? "true" : null, disabled: seat < 0, onclick: () => choose(k) },
      h("span", {}, `hand ${hand.number}`), h("span", { class: "suits" }, seat < 0 ? "" : hand.cards[seat].map((name) => card(name))),
      h("span", {}, seat < 0 ? "" : unit ? signed(hand.won[seat], unit) : String(hand.won[seat]))));
  })));
}

function show() {
  const { hand } = state;
  for (const id of ["table", "steps", "review"]) $(id).hidden = !hand;
  $("welcome").hidden = Boolean(hand);
  if (!hand) return;
  list();
  const unit = money(hand.steps[0]), last = hand.steps.length - 1;
  $("table").replaceChildren(...felt(hand.steps[state.step], unit));
  const go = (to) => () => { state.step = Math.min(Math.max(to, 0), last); show(); $("steps").querySelector("[data-now]")?.focus({ preventScroll: true }); };
  const event = hand.events[state.step];
  const decisions = hand.decisions.map((d) => d.at);
  $("steps").replaceChildren(
    h("button", { type: "button", id: "first", disabled: state.step === 0, onclick: go(0) }, "Begin"),
    h("button", { type: "button", id: "back", disabled: state.step === 0, onclick: go(state.step - 1) }, "Back"),
    h("button", { type: "button", id: "on", class: "primary", "data-now": "", disabled: state.step === last, onclick: go(state.step + 1) }, "On"),
    h("button", { type: "button", id: "decision", disabled: !decisions.some((at) => at > state.step), onclick: go(decisions.find((at) => at > state.step) ?? state.step) }, "Next decision"),
    h("span", { class: "note", id: "where" }, event ? `action ${state.step + 1} of ${last}: ${event.seat}` : "the end"));
  const now = hand.decisions.filter((d) => d.at === state.step);
  const shown = now.length ? now : hand.decisions;
  const agent = $("opinion").value;
  $("review").replaceChildren(
    h("h2", {}, now.length ? "This decision" : "All decisions", h("small", {}, `of ${$("player").value}, by ${agent}`)),
    ...shown.map((value) => decision(value, unit, agent)), h("p", { class: "note" }, COST));
}

$("file").addEventListener("change", (event) => event.target.files[0] && read(event.target.files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
}
$("drop").addEventListener("submit", (event) => event.preventDefault());
$("choose").addEventListener("submit", (event) => event.preventDefault());
$("player").addEventListener("change", () => choose(Math.max(state.hands.findIndex((hand) => seatOf(hand) >= 0), 0)));
$("opinion").addEventListener("change", () => choose(state.at));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || !state.hand) return;
  const press = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
  if (press) { event.preventDefault(); $(press).click(); }
});
units(() => state.hand && show());
