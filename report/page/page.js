// What the page does beyond being read: tables are sorted by their heads, filtered
// and shown with fewer columns; a measure is chosen; wide tables are fitted to the
// window, or divided for paper.
"use strict";
const element = function (name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(function (a) { made.setAttribute(a[0], a[1]); });
  made.append(...children);
  return made;
};

// Column heads become buttons: ascending, descending, as printed. Missing values stay
// last.
const sortable = function (table) {
  const body = table.tBodies[0];
  const printed = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const key = function (row, column) {
    const cell = row.cells[column];
    const text = cell.hasAttribute("data-value") ? cell.getAttribute("data-value") : cell.textContent.trim();
    return text === "" ? null : isNaN(text) ? text : Number(text);
  };
  const compare = function (a, b) {
    if (typeof a === "number") return typeof b === "number" ? a - b : -1;
    return typeof b === "number" ? 1 : a.localeCompare(b);
  };
  heads.forEach(function (head, column) {
    const button = element("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", function () {
      const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      const order = next === undefined ? "ascending" : next;
      heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
      table.classList.toggle("sorted", order !== null);
      if (order === null) { body.append(...printed); return; }
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = printed.slice().sort(function (r, s) {
        const a = key(r, column), b = key(s, column);
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * compare(a, b);
      });
      body.append(...rows);
    });
  });
};

// show shows a column of a table, or hides it. A foot's label stands for all heads of
// its row.
const show = function (table, column, on) {
  const count = table.tHead.rows[0].cells.length;
  Array.from(table.rows).forEach(function (row) {
    const at = column - count + row.cells.length;
    if (at > 0 || at === 0 && row.cells.length === count) row.cells[at].hidden = !on;
  });
};

// Above a table: words that its rows must hold, and its columns to choose from.
const tools = function (table) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const filtered = table.tBodies[0].rows.length > 3, chosen = heads.length > 5;
  if (!filtered && !chosen) return;
  const filter = element("input", { type: "search", placeholder: "rows with …", "aria-label": "Show rows with these words" });
  filter.addEventListener("input", function () {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    Array.from(table.tBodies[0].rows).forEach(function (row) {
      const text = " " + Array.from(row.cells).map(function (c) { return c.textContent; }).join(" ").toLowerCase();
      row.hidden = !words.every(function (w) { return text.includes(" " + w); });
    });
    table.classList.toggle("sorted", words.length > 0 || heads.some(function (h) { return h.hasAttribute("aria-sort"); }));
  });
  const list = element("ul", {});
  heads.forEach(function (head, column) {
    const box = element("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", function () {
      show(table, column, box.checked);
      joinHeads(table);
      fit(table);
    });
    list.append(element("li", {}, element("label", {}, box, " " + head.textContent)));
  });
  const columns = element("details", { class: "columns" }, element("summary", {}, "columns"), list);
  table.closest(".scroll").before(element("div", { class: "tools" }, ...(filtered ? [filter] : []), ...(chosen ? [columns] : [])));
};

// On a phone the cells of some tables stand below one another, each behind its head.
document.querySelectorAll("table.stack").forEach(function (table) {
  const heads = Array.from(table.tHead.rows[0].cells).map(function (c) { return c.textContent; });
  Array.from(table.tBodies[0].rows).forEach(function (row) {
    Array.from(row.cells).forEach(function (cell, j) { cell.dataset.head = heads[j]; });
  });
});

// The words for a row of several heads: gaussian, no common structure, n = 200.
const inWords = function (labels, names) {
  return labels.map(function (label, j) {
    if (label === "–") return "";
    if (/^(yes|true)$/.test(label)) return names[j];
    if (/^(no|false)$/.test(label)) return "no " + names[j];
    return isNaN(label) ? label : names[j] + " = " + label;
  }).filter(Boolean).join(", ");
};

// rowHeads are the heads of the first row.
const rowHeads = function (table) {
  return table.tBodies[0].rows.length ? Array.from(table.tBodies[0].rows[0].querySelectorAll("th")) : [];
};

// The first visible head of each row says in words what all of them say, for when there
// is no room for the others.
const joinHeads = function (table) {
  const visible = function (row) { return Array.from(row.querySelectorAll(".head")).filter(function (head) { return !head.hidden; }); };
  const own = function (head) { return head.querySelector(".own").textContent; };
  const names = visible(table.tHead.rows[0]).map(own);
  [table.tHead.rows[0]].concat(Array.from(table.tBodies[0].rows)).forEach(function (row) {
    row.querySelectorAll(".words").forEach(function (words) { words.replaceChildren(); });
    const heads = visible(row);
    heads.forEach(function (head, j) { head.classList.toggle("rest", j > 0); });
    if (heads.length === 0) return;
    const words = row.parentNode === table.tHead ? names.join(", ") : inWords(heads.map(own), names);
    const marks = heads.slice(1).flatMap(function (head) { return Array.from(head.querySelectorAll("sup")).map(function (m) { return m.cloneNode(true); }); });
    heads[0].querySelector(".words").append(" ", words, ...marks); // a space for the filter
  });
};

// mergeable gives each head of a row of several heads a place for these words.
const mergeable = function (table) {
  const count = rowHeads(table).length;
  if (count < 2) return;
  [table.tHead.rows[0]].concat(Array.from(table.tBodies[0].rows)).forEach(function (row) {
    Array.from(row.cells).slice(0, count).forEach(function (head) {
      head.classList.add("head");
      const place = head.querySelector("button") || head;
      const own = element("span", { class: "own" }, ...Array.from(place.childNodes).filter(function (n) { return n.nodeName !== "SUP"; }));
      place.prepend(own, element("span", { class: "words" }));
    });
  });
  joinHeads(table);
  table.classList.add("mergeable");
};

// merge puts the heads of each row into one column, or back.
const merge = function (table, on) {
  on = on && table.classList.contains("mergeable");
  table.classList.toggle("merged", on);
  const heads = rowHeads(table).filter(function (head) { return !head.hidden; }).slice(0, on ? 1 : undefined);
  table.querySelectorAll("tfoot th").forEach(function (label) {
    label.hidden = heads.length === 0;
    label.colSpan = Math.max(1, heads.length);
  });
};

// A table that is wider than its place first writes the spread below the mean, then
// smaller, then has the heads of a row in one column, then smaller still; what none of
// it helps is scrolled, with its heads in view.
const fit = function (table) {
  const place = table.closest(".scroll");
  const wide = function () { return table.offsetWidth > place.clientWidth + 1; };
  table.classList.remove("narrow", "small", "tiny");
  place.classList.remove("wide");
  merge(table, false);
  ["narrow", "small"].forEach(function (c) { if (wide()) table.classList.add(c); });
  if (wide()) merge(table, true);
  table.classList.toggle("tiny", wide());
  if (!wide()) return;
  table.classList.remove("tiny");
  place.classList.add("wide");
};

// runs divides columns into as few runs as do not exceed the room, of about the same
// width.
const runs = function (widths, room) {
  const fill = function (limit) {
    const list = [];
    let used = Infinity;
    widths.forEach(function (width, column) {
      if (width === 0) return;
      if (used + width > limit) { list.push([]); used = 0; }
      list[list.length - 1].push(column);
      used += width;
    });
    return list;
  };
  const most = fill(room).length;
  let limit = widths.reduce(function (a, b) { return a + b; }, 0) / most;
  while (fill(limit).length > most) limit *= 1.02;
  return fill(limit);
};

// divide replaces a table that is too wide for paper by parts below one another, each
// with the heads of the rows.
const divide = function (table) {
  const place = table.closest(".scroll"), room = place.clientWidth;
  if (table.offsetWidth <= room + 1) return;
  const widths = Array.from(table.tHead.rows[0].cells).map(function (c) { return c.getBoundingClientRect().width; });
  const count = rowHeads(table).length;
  const heads = widths.slice(0, count).reduce(function (a, b) { return a + b; }, 0);
  const parts = runs(widths.map(function (w, column) { return column < count ? 0 : w; }), room - heads);
  if (parts.length < 2) return;
  parts.forEach(function (columns) {
    const part = table.cloneNode(true);
    part.classList.add("part");
    widths.forEach(function (width, column) {
      if (column >= count && width > 0 && !columns.includes(column)) show(part, column, false);
    });
    place.append(part);
  });
  table.hidden = true;
};

// A reader chooses the measure of a table, and the measure and scale of the main figure.
const variants = function (place) {
  const list = Array.from(place.children);
  if (list.length < 2) return;
  const choice = element("select", { "aria-label": "Measure and scale" });
  list.forEach(function (v, i) {
    choice.append(element("option", { value: String(i) }, v.dataset.measure));
    const folded = v.querySelector("details.other");
    if (folded) folded.replaceWith(...Array.from(folded.childNodes).slice(1));
    v.hidden = i > 0;
  });
  choice.addEventListener("change", function () {
    list.forEach(function (v, i) { v.hidden = String(i) !== choice.value; });
    list[choice.value].querySelectorAll("table").forEach(fit);
  });
  place.prepend(element("label", { class: "measure" }, "Measure: ", choice));
};

document.documentElement.classList.add("js");
document.querySelectorAll(".variants").forEach(variants);
document.querySelectorAll("table.sortable").forEach(sortable);
document.querySelectorAll("section table.sortable").forEach(tools);
document.querySelectorAll("section table.sortable").forEach(mergeable);

const fitAll = function () { document.querySelectorAll(".scroll > table").forEach(fit); };
fitAll();
window.addEventListener("resize", fitAll);
document.querySelectorAll("details").forEach(function (d) {
  d.addEventListener("toggle", function () { if (d.open) d.querySelectorAll(".scroll > table").forEach(fit); });
});
const contents = document.querySelector("nav details");
if (contents && window.innerWidth < 700) contents.open = false;

// For paper everything is unfolded and tables are fitted anew, to the smaller of A4 and
// Letter inside the margins, under the rules of printing.
const paper = Array.from(document.styleSheets[0].cssRules).find(function (r) { return r.media && r.media.mediaText === "print"; });
let folded = [];
window.addEventListener("beforeprint", function () {
  folded = Array.from(document.querySelectorAll("details:not(.columns):not([open])"));
  folded.forEach(function (d) { d.open = true; });
  paper.media.mediaText = "all";
  document.body.style.width = "182mm";
  fitAll();
  document.querySelectorAll(".scroll > table").forEach(divide);
  document.body.style.width = "";
});
window.addEventListener("afterprint", function () {
  paper.media.mediaText = "print";
  document.querySelectorAll(".part").forEach(function (part) { part.remove(); });
  document.querySelectorAll(".scroll > table").forEach(function (table) { table.hidden = false; });
  folded.forEach(function (d) { d.open = false; });
  fitAll();
});

// Figures: marks show their numbers on hover and by keyboard, a legend hides and isolates
// classifiers in all figures at once, a mark or an entry of a table opens its replicates,
// and what is shown can be saved.
const replicates = JSON.parse((document.getElementById("replicates") || { textContent: "{}" }).textContent);
const series = new Map((replicates.series || []).map(function (s) { return [s.id, s]; }));
const hidden = new Set();
const rules = { hidden: element("style", {}), lit: element("style", {}) };
document.head.append(rules.hidden, rules.lit);
const marked = function (id) { return "[data-series=" + JSON.stringify(id) + "]"; };

// light dims all other series in figures and shades the column of one in tables.
const light = function (id) {
  rules.lit.textContent = id === null ? "" : ".drawing g[data-series]:not(" + marked(id) + ") { opacity: .15 } td" + marked(id) + ", th" + marked(id) + " { background: var(--lit) !important }";
};

// refresh hides the hidden series and sets the buttons of all legends.
const refresh = function () {
  rules.hidden.textContent = Array.from(hidden, function (id) { return ".drawing g" + marked(id) + " { display: none }"; }).join("\n");
  document.querySelectorAll(".legend button[data-id]").forEach(function (b) { b.setAttribute("aria-pressed", String(!hidden.has(b.dataset.id))); });
  document.querySelectorAll(".legend .all").forEach(function (b) { b.hidden = hidden.size === 0; });
};

const legend = function (ids) {
  const isolate = function (id) {
    series.forEach(function (s) { if (s.id === id) hidden.delete(id); else hidden.add(s.id); });
    refresh();
  };
  const buttons = ids.map(function (id) {
    const s = series.get(id);
    const lightShown = function () { light(hidden.has(id) ? null : id); };
    const swatch = element("span", { class: "swatch", style: "background: " + s.colour });
    const button = element("button", { type: "button", "data-id": id, "aria-pressed": "true", title: "Click: hide or show. Double-click, or Shift and Enter: show it alone." }, swatch, s.label);
    button.addEventListener("click", function (e) {
      if (e.shiftKey) { isolate(id); return; }
      if (!hidden.delete(id)) hidden.add(id);
      refresh();
      lightShown();
    });
    button.addEventListener("dblclick", function () { isolate(id); });
    ["pointerenter", "focus"].forEach(function (name) { button.addEventListener(name, lightShown); });
    ["pointerleave", "blur"].forEach(function (name) { button.addEventListener(name, function () { light(null); }); });
    return button;
  });
  const all = element("button", { type: "button", class: "all" }, "Show all");
  all.addEventListener("click", function () { hidden.clear(); refresh(); });
  all.hidden = true;
  return element("div", { class: "legend", role: "group", "aria-label": "Classifiers shown in figures" }, ...buttons, all);
};

const save = function (name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
};
const quoted = function (text) { return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text; };
const csv = function (caption, rows) {
  return new Blob(["# " + caption.replace(/\s+/g, " ") + "\n" + rows.map(function (r) { return r.map(function (v) { return quoted(String(v === null ? "NA" : v)); }).join(","); }).join("\n") + "\n"], { type: "text/csv" });
};

// openReplicates lists the results of a classifier in some cells, the largest first.
const dialog = element("dialog", { class: "replicates", "aria-label": "Replicates" });
document.body.append(dialog);
const openReplicates = function (id, cells) {
  const list = cells.filter(function (c) { return replicates.rows && replicates.rows[c] && replicates.rows[c][id]; });
  if (list.length === 0) return;
  const heads = (list.length > 1 ? ["cell"] : []).concat(replicates.columns);
  const rows = list.flatMap(function (c) {
    return replicates.rows[c][id].map(function (values) { return { cell: c, values: (list.length > 1 ? [replicates.where[c]] : []).concat(values) }; });
  });
  const at = heads.indexOf("replicate");
  rows.sort(function (a, b) { return (b.values[at + 1] === null ? Infinity : b.values[at + 1]) - (a.values[at + 1] === null ? Infinity : a.values[at + 1]) || a.values[at] - b.values[at]; });
  const caption = series.get(id).label + (list.length === 1 && replicates.where[list[0]] ? ", " + replicates.where[list[0]] : "") + ": " + rows.length + (rows.length === 1 ? " replicate" : " replicates");
  const table = element("table", { "aria-label": caption },
    element("thead", {}, element("tr", {}, ...heads.map(function (h) { return element("th", { scope: "col" }, h); }))),
    element("tbody", {}, ...rows.map(function (r) {
      const missing = r.values[at + 1] === null ? "failed" : "undefined"; // a fit without a test error failed
      return element("tr", {}, ...r.values.map(function (v) { return element("td", {}, v === null ? missing : String(v)); }));
    })));
  const shut = element("button", { type: "button" }, "Close"), saved = element("button", { type: "button" }, "Save as CSV");
  shut.addEventListener("click", function () { dialog.close(); });
  saved.addEventListener("click", function () { save("replicates-" + id + ".csv", csv(caption, [heads].concat(rows.map(function (r) { return r.values; })))); });
  const again = element("code", {}, "copse repro " + (replicates.results || "RESULTS") + " " + rows[0].cell + "/" + rows[0].values[at] + "/" + id);
  dialog.replaceChildren(element("h2", {}, caption), element("p", {}, "The first one again: ", again), element("p", {}, shut, " ", saved),
    element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, table));
  dialog.showModal();
};

const tip = element("div", { class: "tip", role: "status" });
tip.hidden = true;
document.body.append(tip);
const showTip = function (mark, x, y) {
  const box = mark.shape.getBoundingClientRect();
  tip.replaceChildren(element("strong", {}, mark.lines[0]), ...mark.lines.slice(1).filter(Boolean).map(function (l) { return element("div", {}, l); }));
  if (mark.cells.length > 0 && replicates.rows) tip.append(element("div", { class: "hint" }, "Click or Enter: replicates"));
  tip.hidden = false;
  const left = (x === undefined ? box.right : x) + 12, top = (y === undefined ? box.top : y) + 12;
  tip.style.left = Math.max(4, Math.min(left, window.innerWidth - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(4, Math.min(top, window.innerHeight - tip.offsetHeight - 4)) + "px";
  light(mark.id);
};
const hideTip = function () { tip.hidden = true; light(null); };

// explore makes a drawing answer to the pointer and the keyboard.
const explore = function (drawing) {
  const svg = drawing.querySelector("svg");
  const marks = Array.from(svg.querySelectorAll("g[data-series] > title")).map(function (title) {
    const mark = { shape: title.parentNode, id: title.parentNode.dataset.series, lines: title.textContent.split("\n"), cells: (title.parentNode.dataset.cells || "").split(" ").filter(Boolean) };
    title.remove(); // or the browser shows it, too
    return mark;
  });
  const ids = Array.from(series.keys()).filter(function (id) { return svg.querySelector("g" + marked(id)) !== null; });
  const shown = function () { return marks.filter(function (m) { return !hidden.has(m.id); }); };
  const near = function (e) {
    let best = null, least = 10;
    shown().forEach(function (m) {
      const b = m.shape.getBoundingClientRect();
      const distance = Math.hypot(Math.max(b.left - e.clientX, 0, e.clientX - b.right), Math.max(b.top - e.clientY, 0, e.clientY - b.bottom));
      if (distance < least) { best = m; least = distance; }
    });
    return best;
  };
  let current = null;
  drawing.addEventListener("pointermove", function (e) {
    current = near(e);
    drawing.style.cursor = current && current.cells.length > 0 && replicates.rows ? "pointer" : "";
    if (current) showTip(current, e.clientX, e.clientY); else hideTip();
  });
  drawing.addEventListener("pointerleave", hideTip);
  drawing.addEventListener("blur", hideTip);
  drawing.addEventListener("click", function (e) {
    const mark = near(e);
    if (mark) { hideTip(); openReplicates(mark.id, mark.cells); }
  });
  drawing.addEventListener("keydown", function (e) {
    const list = shown(), at = list.indexOf(current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[e.key];
    if (e.key === "Escape") { current = null; hideTip(); }
    if (e.key === "Enter" && current) {
      e.preventDefault(); // or the same key press closes the dialog by its first button
      openReplicates(current.id, current.cells);
    }
    if (to === undefined || list.length === 0) return;
    e.preventDefault();
    current = list[(to + list.length) % list.length];
    showTip(current);
  });

  const figure = drawing.closest("figure"), caption = figure.querySelector("figcaption");
  const words = caption.textContent.replace(/\s*Files:.*/s, "").trim(), name = figure.id;
  const picture = function () {
    const copy = svg.cloneNode(true);
    copy.querySelectorAll("g[data-series]").forEach(function (g) { if (hidden.has(g.dataset.series)) g.remove(); });
    copy.querySelectorAll("desc").forEach(function (d) { d.textContent = words; });
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  };
  const savers = {
    SVG: function () { save(name + ".svg", picture()); },
    PNG: function () {
      const image = new Image(), address = URL.createObjectURL(picture());
      image.addEventListener("load", function () {
        const canvas = element("canvas", { width: 3 * svg.viewBox.baseVal.width, height: 3 * svg.viewBox.baseVal.height });
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        URL.revokeObjectURL(address);
        canvas.toBlob(function (blob) { save(name + ".png", blob); });
      });
      image.src = address;
    },
    CSV: function () { save(name + ".csv", csv(words, numbers(shown()))); },
  };
  if (marks.length === 0) delete savers.CSV; // curves of too many points have no numbers
  const buttons = Object.keys(savers).map(function (kind) {
    const button = element("button", { type: "button", "aria-label": "Save what " + name + " shows as " + kind }, kind);
    button.addEventListener("click", savers[kind]);
    return button;
  });
  if (ids.length > 1) caption.append(legend(ids));
  caption.append(element("p", { class: "save" }, "Save what is shown: ", ...buttons.flatMap(function (b) { return [b, " "]; })));
};

// numbers are the lines of marks as a table: classifier, panel, and a column for each name. A line
// without a name is a value of a tuned parameter. The two ends of an interval are columns of their own.
const numbers = function (marks) {
  const names = [];
  const parsed = marks.map(function (m) {
    const values = new Map();
    const put = function (name, value) {
      if (!names.includes(name)) names.push(name);
      values.set(name, value);
    };
    m.lines.slice(2).forEach(function (line) {
      const cut = line.lastIndexOf(": "), name = cut < 0 ? "value" : line.slice(0, cut);
      const value = line.slice(cut < 0 ? 0 : cut + 2).replaceAll("−", "-"), ends = value.split(" to ");
      if (cut < 0 || ends.length !== 2) { put(name, value); return; }
      put(name + " (low)", ends[0]);
      put(name + " (high)", ends[1]);
    });
    return values;
  });
  return [["classifier", "panel"].concat(names)].concat(marks.map(function (m, i) {
    return [m.lines[0], m.lines[1]].concat(names.map(function (n) { return parsed[i].has(n) ? parsed[i].get(n) : null; }));
  }));
};
document.querySelectorAll(".drawing").forEach(explore);

// walkEntries makes the entries of a table a single tab stop: arrow keys move it, Enter opens replicates.
const walkEntries = function (table) {
  const first = table.querySelector("td.opens");
  if (!first) return;
  first.tabIndex = 0;
  table.addEventListener("keydown", function (e) {
    const cell = e.target, step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
    if (!cell.classList.contains("opens")) return;
    if (e.key === "Enter") {
      e.preventDefault(); // as in explore
      cell.click();
    }
    if (!step) return;
    e.preventDefault();
    const rows = Array.from(table.tBodies[0].rows).filter(function (r) { return !r.hidden; });
    const row = rows[rows.indexOf(cell.parentNode) + step[0]], next = row && row.cells[cell.cellIndex + step[1]];
    if (!next || !next.classList.contains("opens")) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
};

// The columns of tables belong to series by their heads; entries open their replicates.
document.querySelectorAll("#results table.sortable").forEach(function (table) {
  const heads = Array.from(table.tHead.rows[0].cells);
  const ids = heads.map(function (h) {
    const found = Array.from(series.values()).find(function (s) { return s.label === h.textContent.trim(); });
    return found ? found.id : null;
  });
  Array.from(table.rows).forEach(function (row) {
    Array.from(row.cells).forEach(function (cell, j) {
      const id = ids[j + heads.length - row.cells.length];
      if (!id) return;
      cell.dataset.series = id;
      cell.addEventListener("pointerenter", function () { light(id); });
      cell.addEventListener("pointerleave", function () { light(null); });
      if (!row.dataset.cells || cell.nodeName !== "TD" || !replicates.rows) return;
      cell.classList.add("opens");
      cell.tabIndex = -1;
      cell.addEventListener("click", function (e) { if (!e.target.closest("a")) openReplicates(id, row.dataset.cells.split(" ")); });
    });
  });
  walkEntries(table);
});
