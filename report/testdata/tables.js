// This probe is put into a copy of the page. It clicks the head of the third column
// of the first table three times and writes what it saw into the title.
const seen = [];
window.addEventListener("error", function (e) { seen.push("ERROR " + e.message); });
window.addEventListener("load", function () {
  const table = document.querySelector("table.sortable");
  const head = table.tHead.rows[0].cells[2];
  const column = function () { return Array.from(table.tBodies[0].rows).map(function (r) { return r.cells[2].dataset.value; }).join(","); };
  seen.push(column());
  for (let i = 0; i < 3; i++) {
    head.querySelector("button").click();
    seen.push((head.getAttribute("aria-sort") || "none") + " " + column());
  }
  const drawings = Array.from(document.querySelectorAll("svg"));
  seen.push("drawn " + drawings.filter(function (d) { return d.getBoundingClientRect().width > 200 && d.querySelectorAll("path").length > 3; }).length);
  const wide = Array.from(document.querySelectorAll(".scroll")).filter(function (s) { return s.clientWidth > 0 && s.scrollWidth > s.clientWidth + 1; });
  seen.push("cut off " + wide.length);
  const visible = function () { return Array.from(table.tBodies[0].rows).filter(function (r) { return !r.hidden; }).length; };
  const tools = table.closest("figure").querySelector(".tools");
  const filter = tools.querySelector("input[type=search]");
  filter.value = "complex 1000";
  filter.dispatchEvent(new Event("input"));
  const complex = visible();
  filter.value = "n = 400"; // as a merged head says it
  filter.dispatchEvent(new Event("input"));
  seen.push("filtered " + complex + " " + visible());
  filter.value = "";
  filter.dispatchEvent(new Event("input"));
  const boxes = tools.querySelectorAll("input[type=checkbox]");
  boxes[2].click();
  seen.push("hidden " + Array.from(table.rows).filter(function (r) { return r.cells.length > 4 && r.cells[2].hidden && !r.cells[3].hidden; }).length + " of " + boxes.length);
  boxes[2].click();
  const choice = document.querySelector(".measure select");
  const shown = function () { return Array.from(document.querySelectorAll(".variant")).map(function (v) { return v.hidden ? "-" : v.dataset.measure; }).join("|"); };
  seen.push(shown());
  choice.value = "1";
  choice.dispatchEvent(new Event("change"));
  seen.push(shown());
  seen.push("head " + getComputedStyle(table.tHead.rows[0].cells[0]).position);
  const place = table.closest(".scroll"), first = table.tBodies[0].rows[0];
  const heads = function () { return Array.from(first.querySelectorAll("th")).filter(function (h) { return h.offsetWidth > 0; }).map(function (h) { return h.innerText; }).join("|"); };
  choice.value = "0";
  choice.dispatchEvent(new Event("change"));
  place.style.width = "150px";
  window.dispatchEvent(new Event("resize"));
  seen.push("heads " + heads());
  boxes[0].click(); // hides the first head
  seen.push("heads " + heads());
  boxes[0].click();
  place.style.width = "";
  window.dispatchEvent(new Event("resize"));
  seen.push("heads " + heads());
  seen.push("scrolls " + (document.documentElement.scrollWidth > document.documentElement.clientWidth));
  document.title = "PROBE " + seen.join(";") + " END";
});
