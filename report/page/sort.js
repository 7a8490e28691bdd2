// Column heads of sortable tables become buttons: ascending, descending, as
// printed. Missing values stay last.
"use strict";
document.querySelectorAll("table.sortable").forEach(function (table) {
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
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
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
});
window.addEventListener("beforeprint", function () {
  document.querySelectorAll("details").forEach(function (d) { d.open = true; });
});
