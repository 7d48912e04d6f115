// The table, the betting as a path, and the board picker.

import { card, h, percent, say, shades } from "./chart.js";

/** Seats around a table, the acting one marked; pot and board in the middle. */
export function table(spot, money) {
  const { seats, pot, board, round, result } = spot.table;
  const around = seats.map((seat, k) => {
    const angle = Math.PI / 2 + (2 * Math.PI * (k + seats.length - seats.findIndex((s) => s.button))) / seats.length;
    const place = (x, y) => ({ left: `${50 + x * Math.cos(angle)}%`, top: `${50 + y * Math.sin(angle)}%` });
    return [
      h("li", { class: `seat${seat.acts ? " acts" : ""}${seat.folded ? " folded" : ""}`, style: place(40, 39) },
        h("b", {}, seat.name, seat.button && h("i", { class: "button", title: "button" }, "D")),
        h("span", {}, seat.folded ? "folded" : seat.stack ? money.plain(seat.stack) : "all-in"),
        h("span", { class: "unseen" }, seat.acts ? "to act" : "")),
      seat.bet > 0 && h("li", { class: "bet", style: place(24, 20), "aria-label": `${seat.name} has bet ${money.words(seat.bet)}` }, money.plain(seat.bet)),
    ];
  });
  return [
    h("ul", { class: "seats" }, around.flat()),
    h("div", { class: "middle" },
      h("div", { class: "board" }, board.length ? board.map((name) => card(name, true)) : h("span", { class: "round" }, round)),
      h("p", {}, h("span", {}, "pot "), h("b", {}, money.words(pot)), result && h("em", {}, result))),
  ];
}

function translation(entry) {
  if (!entry.translation) return null;
  const { sizes } = entry.translation;
  const words = sizes.map((size) => `${size.pots ? `${percent(size.pots)} pot` : size.word === "c" ? "check, call" : size.word}${sizes.length > 1 ? ` (${percent(size.share)})` : ""}`);
  return h("span", { class: "off", title: "Off the tree: by pseudo-harmonic translation. Agents draw between the two sizes; this page follows the likelier." },
    `followed as ${words.join(" or ")}`);
}

/** The path: a column a decision, with its alternatives as links; a column a board. */
export function path(spot, money, link, redeal) {
  const columns = spot.path.map((entry) => entry.deal
    ? h("button", { type: "button", class: "step dealt", "aria-label": `${entry.round}: ${entry.deal.join(" ")}; change it`, onclick: () => redeal(entry.round) },
      h("b", {}, entry.round), h("span", { class: "cards" }, entry.deal.map((name) => card(name))))
    : step(entry, money, link, false));
  if (spot.now) columns.push(step(spot.now, money, link, true));
  if (spot.state === "deal") columns.push(h("div", { class: "step dealt open" }, h("b", {}, spot.table.round), h("span", {}, "to be dealt")));
  if (spot.state === "over") columns.push(h("div", { class: "step dealt open" }, h("b", {}, "end"), h("span", {}, spot.table.result)));
  return columns;
}

function step(entry, money, link, current) {
  const colours = shades(entry.options);
  return h("div", { class: `step${current ? " now" : ""}${entry.translation ? " wide" : ""}`, role: "group", "aria-label": `${entry.seat}, ${entry.round}` },
    h("b", {}, entry.seat, h("small", {}, money.plain(entry.stack))),
    entry.options.map((option, k) => link(option.address, {
      class: option.taken ? "choice taken" : option.share === null ? "choice rare" : "choice",
      "aria-current": option.taken ? "step" : null, style: { "--colour": colours[k] },
      title: option.share === null ? "not in the tree" : `${percent(option.share, 1)} of the range`,
    }, say(option, money, false))),
    translation(entry));
}

/** The actions open now, with frequencies; a link each, and a field for a size of one's own. */
export function actions(spot, money, link, typed) {
  const colours = shades(spot.now.options), searched = spot.strategies.filter((s) => s.search);
  const tiles = spot.now.options.map((option, k) => {
    const also = searched.map((s) => s.options.findIndex((o) => o.word === option.word)).map((at, i) => at >= 0 && searched[i].total[at]);
    return link(option.address, { class: option.share === null ? "tile rare" : "tile", style: { "--colour": colours[k], "--share": `${100 * (option.share ?? 0)}%` } },
      h("span", {}, say(option, money), option.share === null ? h("small", {}, "off the tree") : option.pots > 0 && !option.all_in && h("small", {}, percent(option.pots), " pot")),
      option.share !== null && h("span", {}, h("b", {}, percent(option.share, 1)), also.map((share) => share !== false && h("small", {}, `search ${percent(share, 1)}`))));
  });
  const known = new Set(spot.now.options.map((option) => option.word));
  for (const option of searched.flatMap((s) => s.options)) {
    if (known.has(option.word)) continue;
    known.add(option.word);
    const shares = searched.flatMap((s) => s.options.map((o, k) => [o.word, s.total[k]])).filter(([word]) => word === option.word);
    tiles.push(link({ actions: (spot.address.actions ?? "") + option.word, board: spot.address.board }, { class: "tile rare" },
      h("span", {}, say(option, money), h("small", {}, `search ${percent(shares[0][1], 1)}`))));
  }
  const [low, high] = spot.raise;
  const field = low === undefined ? null : h("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); typed(event.target.elements.size.value, true); } },
    h("label", { for: "size" }, spot.table.to_call || spot.table.round === "preflop" ? "Another raise to" : "Another bet"),
    h("input", { id: "size", name: "size", autocomplete: "off", placeholder: "300, 3bb, 75%", "aria-describedby": "size-means", maxlength: 20, oninput: (event) => typed(event.target.value, false) }),
    h("button", { type: "submit" }, "Go"),
    h("output", { id: "size-means" }, low === high ? `${money.words(low)}, all-in` : `${money.words(low)} to ${money.words(high)}`));
  return [h("h2", {}, spot.now.seat, " to act", h("small", {}, spot.table.to_call ? `${money.words(spot.table.to_call)} to call, pot ${money.words(spot.table.pot)}` : `pot ${money.words(spot.table.pot)}`)),
    h("div", { class: "tiles" }, tiles), field ?? ""];
}

/** The sizes that stand for a typed one, in words. */
export function means(size, money) {
  if (!size.translation) return `${say(size, money)}: a size of the tree`;
  const words = size.translation.sizes.map((s) => `${s.word.startsWith("r") ? `${percent(s.pots)} of the pot` : "a call"} (${percent(s.share, 1)})`);
  return `${say(size, money)}, ${percent(size.pots)} of the pot: followed as ${words.join(" or ")}`;
}

/** A picker for `count` cards; `done(text)` gets them, `taken` cannot be had. */
export function picker(ranks, count, title, taken, chosen, done, cancel) {
  const names = "AKQJT98765432".slice(0, ranks), picked = [...chosen];
  const buttons = new Map();
  const field = h("input", { name: "cards", autocomplete: "off", maxlength: 20, placeholder: "as in 8d4d3s", "aria-label": `${title}: cards as text`, value: picked.join("") });
  const show = () => {
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(picked.includes(name)));
    field.value = picked.join("");
  };
  const toggle = (name) => {
    if (picked.includes(name)) picked.splice(picked.indexOf(name), 1);
    else if (picked.length === count) picked.splice(count - 1, 1, name);
    else picked.push(name);
    show();
    if (picked.length === count) form.elements.go.focus({ preventScroll: true });
  };
  const rows = ["s", "h", "d", "c"].map((suit) => h("div", { class: "deck-row" }, [...names].map((rank) => {
    const name = rank + suit;
    const button = h("button", { type: "button", class: "deck-card", "aria-pressed": "false", disabled: taken.includes(name), onclick: () => toggle(name) }, card(name));
    buttons.set(name, button);
    return button;
  })));
  const random = () => {
    const free = [...buttons.keys()].filter((name) => !taken.includes(name));
    picked.length = 0;
    while (picked.length < count) picked.push(...free.splice(Math.floor(Math.random() * free.length), 1));
    done(picked.join(""));
  };
  const form = h("form", { class: "deck", onsubmit: (event) => { event.preventDefault(); done(field.value.trim()); } },
    h("h2", {}, title, h("small", {}, count === 1 ? "choose a card" : `choose ${count} cards`)),
    h("div", { class: "deck-rows", style: { "--ranks": ranks } }, rows),
    h("div", { class: "row" }, field, h("button", { type: "submit", name: "go", class: "primary" }, "Deal"),
      h("button", { type: "button", onclick: random }, "Random"), cancel && h("button", { type: "button", onclick: cancel }, "Cancel")));
  show();
  return form;
}
