// Tooltips that pointer, touch and keyboard reach, and charts shown large. No network, no storage.
(() => {
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  let shown = null; // the element that the tooltip is about

  const text = (tag, words, name) => Object.assign(document.createElement(tag), { textContent: words, className: name ?? "" });

  /** Shows `parts` beside the rectangle `box` of the screen, inside of the window. */
  function show(owner, parts, box) {
    (owner.closest("dialog") ?? document.body).append(tip);
    tip.replaceChildren(...parts);
    tip.hidden = false;
    shown = owner;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(Math.max(box.left + box.width / 2 - width / 2, 6), document.documentElement.clientWidth - width - 6);
    const above = box.top - height - 8;
    tip.style.left = `${Math.max(left, 6)}px`;
    tip.style.top = `${above >= 6 ? above : Math.min(box.bottom + 8, innerHeight - height - 6)}px`;
  }

  function hide() {
    if (shown) shown.querySelector(".cursor")?.remove();
    shown = null;
    tip.hidden = true;
  }

  const percent = (tenths) => `${(tenths / 10).toFixed(1)} %`;

  /** Class `i` of a chart: a frame around its cell, and its numbers. */
  function read(svg, i) {
    const columns = Number(svg.dataset.columns);
    const [reach, ...row] = svg.dataset.rows.split(" ")[i].split(",").map(Number);
    const box = svg.getBoundingClientRect();
    const size = box.width / columns;
    const [x, y] = [i % columns, Math.floor(i / columns)];
    if (shown !== svg) hide();
    let frame = svg.querySelector(".cursor");
    if (!frame) {
      frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      frame.setAttribute("class", "cursor");
      svg.append(frame);
    }
    const cell = svg.viewBox.baseVal.width / columns;
    for (const [name, value] of Object.entries({ x: x * cell, y: y * cell, width: cell, height: cell })) frame.setAttribute(name, value);
    const keys = [...svg.closest("figure, dialog").querySelectorAll(".key li")];
    const parts = [text("b", document.querySelectorAll("#range-names text")[i].textContent)];
    keys.forEach((key, k) => {
      const line = text("span", "", "line");
      line.append(key.querySelector("i").cloneNode(), text("span", key.querySelector("span").textContent), text("b", percent(row[keys.length - 1 - k])));
      parts.push(line);
    });
    if (reach < 1000) parts.push(text("small", `comes here in ${percent(reach)} of its deals`));
    svg.dataset.at = i;
    show(svg, parts, { left: box.left + x * size, top: box.top + y * size, bottom: box.top + (y + 1) * size, width: size });
  }

  function cellAt(svg, event) {
    const box = svg.getBoundingClientRect();
    const columns = Number(svg.dataset.columns);
    const count = svg.dataset.rows.split(" ").length;
    const x = Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * columns), 0), columns - 1);
    const y = Math.max(Math.floor(((event.clientY - box.top) / box.width) * columns), 0);
    return Math.min(y * columns + x, count - 1);
  }

  const about = (element) => show(element, [text("span", element.dataset.tip)], element.getBoundingClientRect());

  /** A small chart in a dialog. */
  function enlarge(figure) {
    hide();
    const dialog = document.createElement("dialog");
    const close = text("button", "Close");
    const inside = figure.cloneNode(true);
    inside.removeAttribute("id");
    inside.removeAttribute("style");
    inside.querySelector(".cursor")?.remove();
    inside.querySelector("svg").classList.remove("small");
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
      hide();
      document.body.append(tip);
      dialog.remove();
      figure.querySelector("svg").focus({ preventScroll: true });
    });
    dialog.append(inside, close);
    document.body.append(dialog);
    dialog.showModal();
    inside.querySelector("svg").focus();
  }

  const chart = (event) => event.target.closest?.("svg.range");
  const hinted = (event) => event.target.closest?.("[data-tip]");

  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const [svg, element] = [chart(event), hinted(event)];
    if (svg) read(svg, cellAt(svg, event));
    else if (element) shown !== element && about(element);
    else if (shown && shown !== document.activeElement) hide();
  });
  document.addEventListener("click", (event) => {
    const [svg, element] = [chart(event), hinted(event)];
    if (svg?.classList.contains("small")) enlarge(svg.closest("figure"));
    else if (svg) read(svg, cellAt(svg, event));
    else if (element) about(element);
    else if (shown) hide();
  });
  document.addEventListener("focusin", (event) => {
    const [svg, element] = [chart(event), hinted(event)];
    if (svg && svg.matches(":focus-visible")) read(svg, Number(svg.dataset.at ?? 0));
    else if (element) about(element);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", () => shown && !shown.matches(":focus") && hide(), { passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const svg = chart(event);
    if (!svg || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && svg.classList.contains("small")) {
      event.preventDefault();
      return enlarge(svg.closest("figure"));
    }
    const columns = Number(svg.dataset.columns);
    const last = svg.dataset.rows.split(" ").length - 1;
    const at = Number(svg.dataset.at ?? 0);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (next >= 0 && next <= last) read(svg, next);
  });
})();
