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
const inWords = function (heads, names) {
  return heads.map(function (head, j) {
    const label = Array.from(head.childNodes).filter(function (n) { return n.nodeName !== "SUP"; }).map(function (n) { return n.textContent; }).join("");
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

// The first head of each row says in words what all of them say, for when there is
// no room for the others.
const mergeable = function (table) {
  const count = rowHeads(table).length;
  if (count < 2) return;
  const names = Array.from(table.tHead.rows[0].cells).slice(0, count).map(function (c) { return c.textContent; });
  [table.tHead.rows[0]].concat(Array.from(table.tBodies[0].rows)).forEach(function (row) {
    const heads = Array.from(row.cells).slice(0, count);
    const words = row.parentNode === table.tHead ? names.join(", ") : inWords(heads, names);
    heads.forEach(function (head) { head.classList.add("head"); });
    const marks = heads.slice(1).flatMap(function (head) { return Array.from(head.querySelectorAll("sup")).map(function (m) { return m.cloneNode(true); }); });
    const place = heads[0].querySelector("button") || heads[0];
    const own = element("span", { class: "own" }, ...Array.from(place.childNodes).filter(function (n) { return n.nodeName !== "SUP"; }));
    place.prepend(own, element("span", { class: "words" }, words, ...marks));
  });
  table.classList.add("mergeable");
};

// merge puts the heads of each row into one column, or back.
const merge = function (table, on) {
  on = on && table.classList.contains("mergeable");
  table.classList.toggle("merged", on);
  const heads = rowHeads(table).slice(0, on ? 1 : undefined).filter(function (head) { return !head.hidden; });
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

// Tables in several measures are shown in one, by choice.
const variants = function (place) {
  const list = Array.from(place.children);
  if (list.length < 2) return;
  const choice = element("select", { "aria-label": "Measure" });
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
