// What the page does beyond being read: tables are sorted by their heads, filtered
// and shown with fewer columns; a measure is chosen; wide tables are fitted.
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
      Array.from(table.rows).forEach(function (row) {
        let at = 0;
        Array.from(row.cells).forEach(function (cell) {
          if (at === column && cell.colSpan === 1) cell.hidden = !box.checked;
          at += cell.colSpan;
        });
      });
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

// The first head of each row says in words what all of them say, for when there is
// no room for the others.
const mergeable = function (table) {
  const count = table.tBodies[0].rows.length ? table.tBodies[0].rows[0].querySelectorAll("th").length : 0;
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
  table.dataset.heads = String(count);
};

// merge puts the heads of each row into one column, or back.
const merge = function (table, on) {
  if (!table.dataset.heads) return;
  table.classList.toggle("merged", on);
  table.querySelectorAll("tfoot th").forEach(function (head) { head.colSpan = on ? 1 : Number(table.dataset.heads); });
};

// A table that is wider than its place first writes the spread below the mean, then
// smaller, then has the heads of a row in one column; what is still too wide is
// scrolled, with its heads in view.
const fit = function (table) {
  const place = table.closest(".scroll");
  const wide = function () { return table.offsetWidth > place.clientWidth + 1; };
  table.classList.remove("narrow", "small", "tiny");
  place.classList.remove("wide");
  merge(table, false);
  ["narrow", "small"].forEach(function (c) { if (wide()) table.classList.add(c); });
  if (wide()) merge(table, true);
  if (wide()) table.classList.add("tiny");
  if (wide()) place.classList.add("wide");
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

const fitAll = function () { document.querySelectorAll(".scroll table").forEach(fit); };
fitAll();
window.addEventListener("resize", fitAll);
document.querySelectorAll("details").forEach(function (d) {
  d.addEventListener("toggle", function () { if (d.open) d.querySelectorAll(".scroll table").forEach(fit); });
});
const contents = document.querySelector("nav details");
if (contents && window.innerWidth < 700) contents.open = false;
window.addEventListener("beforeprint", function () {
  document.querySelectorAll("details:not(.columns)").forEach(function (d) { d.open = true; });
  document.querySelectorAll(".scroll table").forEach(function (table) { merge(table, false); });
});
window.addEventListener("afterprint", fitAll);
