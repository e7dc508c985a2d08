"use strict";
// Each session's strip is drawn from its table when the session is first opened.
// What was recorded only ever moves from node to node.
(() => {
  const svgNS = "http://www.w3.org/2000/svg";
  const make = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const shape = (name) => {
    const svg = document.createElementNS(svgNS, "svg");
    svg.setAttribute("class", "mark " + name);
    const use = document.createElementNS(svgNS, "use");
    use.setAttribute("href", "#" + name);
    svg.append(use);
    return svg;
  };
  const shapes = ["refused", "rejected", "noted", "ended"];
  const strips = new Map();

  function strip(session) {
    const rows = [...session.querySelectorAll(".calls tbody tr")];
    if (rows.length === 0) return { show() {} };
    const calls = rows.map((row, i) => {
      const [head, input, result, guard] = row.cells;
      const chip = head.querySelector(".chip");
      return {
        input, result, guard, index: i, number: i + 1, tool: input.querySelector(".tool").textContent,
        letter: chip ? chip.textContent : "", of: chip ? chip.dataset.of : "", colour: chip ? chip.classList[1] : "",
      };
    });
    const loop = Number(session.dataset.loop);
    const lanes = [...session.querySelectorAll(".lanes li")];
    let lane = "0", current = -1;

    const view = make("div", "view"), left = make("div"), box = make("div", "strip"), cells = make("div", "cells"), panel = make("section", "panel");
    const arcs = document.createElementNS(svgNS, "svg");
    arcs.setAttribute("class", "arcs");
    arcs.setAttribute("aria-hidden", "true");
    cells.setAttribute("role", "toolbar");
    cells.setAttribute("aria-label", "Calls of " + session.querySelector("h3").textContent);
    panel.id = session.id + "call";
    panel.tabIndex = 0;
    panel.setAttribute("aria-label", "The chosen call");
    box.append(arcs, cells);
    left.append(box, make("p", "hint", "Point at a call, tap it, or move with the arrow keys."));
    view.append(left, panel);

    const verdict = (call) => [...call.guard.children].find((v) => v.dataset.p === lane);
    for (const call of calls) {
      const b = call.button = make("button", "cell " + call.colour + (call.number === loop ? " loop" : ""));
      b.type = "button";
      b.tabIndex = -1;
      b.setAttribute("aria-controls", panel.id);
      call.marks = make("span", "ms");
      const axis = call.number === 1 || call.number % 5 === 0 || call.number === loop;
      b.append(make("span", "sq", call.letter), call.marks, make("span", "ax", axis ? call.number : ""));
      b.addEventListener("pointerenter", () => choose(call));
      b.addEventListener("focus", () => choose(call));
      b.addEventListener("click", () => b.focus());
      cells.append(b);
    }

    function choose(call, again) {
      if (current === call.index && !again) return;
      const old = calls[current];
      if (old) {
        old.button.tabIndex = -1;
        old.button.setAttribute("aria-current", "false");
      }
      current = call.index;
      call.button.tabIndex = 0;
      call.button.setAttribute("aria-current", "true");
      for (const p of arcs.children) p.classList.toggle("now", call.letter !== "" && p.dataset.letter === call.letter);
      describe(call);
    }

    function describe(call) {
      const head = make("h4", "", "Call " + call.number + " ");
      if (call.letter) head.append(make("span", "chip " + call.colour, call.letter), " " + call.of);
      panel.replaceChildren(head);
      const said = verdict(call);
      if (said) panel.append(said.cloneNode(true));
      panel.append(make("h5", "", "Tool and input"), ...copy(call.input), make("h5", "", "Recorded result"), ...copy(call.result));
      if (!call.result.childNodes.length) panel.append(make("small", "", "No text."));
      panel.scrollTop = 0;
    }
    const copy = (cell) => [...cell.cloneNode(true).childNodes];

    function judge() {
      for (const call of calls) {
        const v = verdict(call), marks = v ? [...v.classList].slice(1) : [];
        call.button.classList.toggle("saved", marks.includes("saved"));
        call.marks.replaceChildren(...shapes.filter((s) => marks.includes(s)).map(shape));
        call.button.setAttribute("aria-label", ["Call " + call.number + ": " + call.tool,
          call.letter && call.letter + ", " + call.of, ...(v ? [v.querySelector("b").textContent] : [])].filter(Boolean).join("; "));
      }
    }

    // bend lays the arcs over the cells; rows that no arc touches are lower.
    let columns = 1;
    function bend() {
      const width = cells.clientWidth;
      if (!width) return;
      columns = Math.max(1, Math.floor((width + 4) / 30));
      const x = (i) => (i % columns) * 30 + 13, row = (i) => Math.floor(i / columns);
      const edge = columns * 30 - 4, last = new Map(), pairs = [], bent = new Set();
      for (const call of calls) {
        if (!call.letter) continue;
        const i = last.get(call.letter);
        last.set(call.letter, call.index);
        if (i === undefined) continue;
        pairs.push([call, i, call.index]);
        bent.add(row(i)).add(row(call.index));
      }
      const tops = [];
      for (let r = 0, y = 0; r <= row(calls.length - 1); r++) {
        tops.push(y + 32);
        y += bent.has(r) ? 96 : 72;
      }
      for (const call of calls) call.button.classList.toggle("flat", !bent.has(row(call.index)));
      const path = (call, d) => {
        const p = document.createElementNS(svgNS, "path");
        p.setAttribute("d", d);
        p.setAttribute("class", call.colour + (calls[current]?.letter === call.letter ? " now" : ""));
        p.dataset.letter = call.letter;
        return p;
      };
      const paths = pairs.flatMap(([call, i, j]) => {
        const a = x(i), b = x(j), ya = tops[row(i)], yb = tops[row(j)];
        if (ya === yb) {
          const h = Math.min(40, 10 + (b - a) * 0.16);
          return [path(call, `M${a} ${ya}C${a} ${ya - h} ${b} ${ya - h} ${b} ${ya}`)];
        }
        // An arc to another row leaves at the right edge and comes in at the left.
        const out = Math.min(28, 9 + (edge - a) * 0.1), home = Math.min(28, 9 + b * 0.1);
        return [
          path(call, `M${a} ${ya}Q${a} ${ya - out} ${Math.min(edge, a + 60)} ${ya - out}${a + 60 < edge ? "h12" : ""}`),
          path(call, `M${b} ${yb}Q${b} ${yb - home} ${Math.max(0, b - 60)} ${yb - home}${b > 60 ? "h-12" : ""}`),
        ];
      });
      arcs.replaceChildren(...paths);
    }

    cells.addEventListener("keydown", (e) => {
      const to = { ArrowRight: current + 1, ArrowLeft: current - 1, ArrowDown: current + columns, ArrowUp: current - columns, Home: 0, End: calls.length - 1 }[e.key];
      if (to === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      const call = calls[to];
      if (call) call.button.focus();
    });

    function show(p) {
      lane = p;
      judge();
      for (const li of lanes) {
        const radio = li.querySelector("input");
        if (radio) radio.checked = li.dataset.p === p;
      }
      const at = calls.find((c) => { const v = verdict(c); return v && v.childElementCount > 1; }) || calls[0];
      choose(at, true);
    }

    if (lanes.length > 1) for (const li of lanes) {
      const label = make("label"), radio = make("input");
      radio.type = "radio";
      radio.name = session.id;
      radio.addEventListener("change", () => show(li.dataset.p));
      label.append(radio, ...li.childNodes);
      li.append(label);
    }
    session.querySelector(".calls").before(view);
    new ResizeObserver(bend).observe(cells);
    show("0");
    bend();
    return { show };
  }

  function open(session, p) {
    session.open = true;
    if (!strips.has(session)) strips.set(session, strip(session));
    if (p !== undefined) strips.get(session).show(p);
  }

  function follow() {
    const target = /^#s\d+p\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const session = target.closest("details.session");
    const only = document.getElementById("spoke");
    if (only && session.classList.contains("quiet")) only.checked = false;
    open(session, target.dataset.p);
    session.scrollIntoView();
    session.firstElementChild.focus({ preventScroll: true });
  }

  for (const session of document.querySelectorAll("details.session")) {
    session.addEventListener("toggle", () => session.open && open(session));
    if (session.open) open(session);
  }
  addEventListener("hashchange", follow);
  follow();
})();
