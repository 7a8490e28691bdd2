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
  if (table.tBodies[0].rows.length < 4 && heads.length < 6) return;
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
  table.closest(".scroll").before(element("div", { class: "tools" }, filter, columns));
};

// A table that is wider than its place first writes the spread below the mean, then
// smaller; what is still too wide is scrolled, with its heads in view.
const fit = function (table) {
  const place = table.closest(".scroll");
  const wide = function () { return table.offsetWidth > place.clientWidth + 1; };
  table.classList.remove("narrow", "small");
  place.classList.remove("wide");
  ["narrow", "small"].forEach(function (c) { if (wide()) table.classList.add(c); });
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
});
