// EV by roll-outs: asked for by a button, or by the chart that shows it; kept by the server per spot.

import { h, percent } from "./chart.js";

const $ = (id) => document.getElementById(id);
const live = (job) => job.state === "running" || job.state === "waiting";
const PATIENCE = 400; // ms at a spot before a chart of EV asks by itself
const EXACT = "Exact: EV counts chips from here on, when both play the solution; a fold is 0. Equity is the share of the pot if both check from here on.";
const NOTE = $("solved") ? EXACT : "EV: chips from here on, on average over the cards not seen, when all play this strategy afterwards; a fold is 0. ± is half of a 95 % interval.";

/** The panel of a page with `state.spot`; `draw` draws the page anew. */
export class Worth {
  constructor(state, api, problem, draw) {
    Object.assign(this, { state, api, problem, draw, timer: 0, waits: 0 });
    $("worth").addEventListener("submit", (event) => { event.preventDefault(); this.ask(); });
    $("worth-cancel").addEventListener("click", () => { this.state.spot.unasked = true; this.leave(); });
  }

  get missing() {
    return this.state.spot.strategies.filter((s) => !s.search && !s.ev);
  }

  get jobs() {
    return this.state.spot?.worth ?? [];
  }

  /** Set what is known beside the strategies of the spot. */
  attach() {
    for (const job of this.jobs) {
      const strategy = this.state.spot.strategies.find((s) => s.name === job.agent && !s.search);
      if (strategy && job.state === "done") strategy.ev = job.result.ev;
    }
  }

  async ask() {
    const { spot } = this.state, { actions, board } = spot.address;
    try {
      for (const { name } of this.missing) {
        this.put(spot, await this.api("/api/worth", { actions: actions ?? "", board: board ?? "", agent: name }));
      }
    } catch (error) {
      spot.unasked = true;
      this.problem(error.message);
    }
  }

  /** End the jobs of a spot that the reader leaves. */
  leave() {
    const { spot } = this.state;
    clearTimeout(this.waits);
    for (const job of this.jobs.filter(live)) {
      this.api(`/api/worth/${job.id}/cancel`, {}).then((ended) => this.put(spot, ended), () => {});
    }
  }

  put(spot, job) {
    spot.worth = [...(spot.worth ?? []).filter((j) => j.id !== job.id && j.agent !== job.agent), job];
    if (spot !== this.state.spot) return;
    if (job.state === "done") this.draw();
    else this.show();
  }

  async poll(spot, id) {
    try {
      const job = await this.api(`/api/worth/${id}`);
      if (spot === this.state.spot) this.put(spot, job);
    } catch (error) { this.problem(error.message); }
  }

  /** Show how far the jobs are; `wanted`: the chart shows EV, so that it is asked for unasked. */
  show(wanted = false) {
    const { spot } = this.state, busy = this.jobs.find(live), failed = this.jobs.find((job) => job.error);
    clearTimeout(this.timer);
    clearTimeout(this.waits);
    $("worth-go").hidden = Boolean(busy) || !this.missing.length;
    $("worth-cancel").hidden = $("worth-progress").hidden = !busy;
    if (busy) {
      $("worth-progress").value = busy.share;
      $("worth-note").textContent = busy.state === "waiting" ? "Waits for the roll-outs before it." : `${busy.agent}: ${percent(busy.share)}, ${busy.seconds.toFixed(0)} s${busy.total ? "" : "; the first ones compile"}`;
      this.timer = setTimeout(() => this.poll(spot, busy.id), 200);
      return;
    }
    const cancelled = this.missing.length && this.jobs.some((job) => job.state === "cancelled");
    $("worth-note").replaceChildren(failed ? failed.error : cancelled ? "Cancelled." : NOTE);
    if (wanted && this.missing.length && !failed && !spot.unasked) this.waits = setTimeout(() => spot === this.state.spot && this.ask(), PATIENCE);
  }
}

/** A row of EV and standard error in the unit of the page: "1.25 ± 0.04". */
export function ev([mean, error], money) {
  const number = (chips, digits) => money.unit === "chips" ? chips.toLocaleString("en-US", { minimumFractionDigits: money.digits, maximumFractionDigits: money.digits }) : (chips / money.bigBlind).toFixed(digits);
  const size = Math.abs(mean) / money.bigBlind < 10 ? 2 : 1, text = number(Math.abs(mean), size);
  const sign = mean < 0 && Number(text.replaceAll(",", "")) ? "−" : "";
  return error ? `${sign}${text} ± ${number(1.96 * error, size)}` : `${sign}${text}`;
}

/** The same in the fewest signs, for a cell. */
export function short([mean], money) {
  const value = money.unit === "chips" ? mean : mean / money.bigBlind;
  return value.toFixed(money.unit === "chips" && money.digits > 1 && Math.abs(value) < 10 ? 1 : money.unit === "chips" || Math.abs(value) >= 10 ? 0 : 1).replace(/^-0(\.0)?$/, "0").replace("-", "−");
}

/** The EV of an action beside its bar; the best one is set off. */
export function evOf(rows, k, money) {
  const best = rows.length > 1 && rows[k + 1][0] === Math.max(...rows.slice(1).map(([mean]) => mean));
  return rows.length > 1 && h("b", { class: best ? "ev best" : "ev", title: best ? "the most EV of all actions" : null }, ev(rows[k + 1], money));
}
