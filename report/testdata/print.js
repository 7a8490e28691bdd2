// This probe tells the browser of a large window that it prints, and that it has.
window.addEventListener("error", function (e) { document.title = "PROBE ERROR " + e.message + " END"; });
window.addEventListener("load", function () {
  const seen = [];
  const variant = document.querySelector(".variant"), own = Array.from(variant.querySelectorAll(".scroll > table"));
  const before = own.map(function (t) { return t.className; }).join("|");
  window.dispatchEvent(new Event("beforeprint"));
  const list = Array.from(variant.querySelectorAll("table")).filter(function (t) { return t.offsetWidth > 0; });
  seen.push("beside the text " + (document.querySelector(".page").offsetWidth - document.querySelector("main").offsetWidth));
  seen.push("too wide " + list.filter(function (t) { return t.offsetWidth > 182 / 25.4 * 96 + 1; }).length);
  seen.push("parts " + (list.length > own.length));
  const shown = function (t, row) { return Array.from(row.cells).filter(function (c) { return c.offsetWidth > 0; }); };
  const values = list.filter(function (t) { return t.closest("details") === null; }).flatMap(function (t) {
    return shown(t, t.tBodies[0].rows[0]).filter(function (c) { return c.nodeName === "TD"; }).map(function (c) { return c.dataset.value; });
  });
  seen.push("same values " + (values.join() === Array.from(own[0].tBodies[0].rows[0].querySelectorAll("td")).map(function (c) { return c.dataset.value; }).join()));
  seen.push("heads " + list.every(function (t) { return t.tBodies[0].rows[0].querySelector("th").offsetWidth > 0; }));
  seen.push("aligned " + list.every(function (t) {
    const head = shown(t, t.tHead.rows[0]), ends = function (row) { return Math.round(shown(t, row).at(-1).getBoundingClientRect().right); };
    return Array.from(t.rows).every(function (row) { return Math.abs(ends(row) - ends(t.tHead.rows[0])) <= 1; });
  }));
  seen.push("broken " + list.flatMap(function (t) { return Array.from(t.querySelectorAll(".line")); }).filter(function (l) {
    return l.textContent.startsWith("[") && l.offsetHeight > 1.5 * parseFloat(getComputedStyle(l).lineHeight);
  }).length + " of " + (variant.querySelectorAll(".line").length > 0));
  window.dispatchEvent(new Event("afterprint"));
  seen.push("restored " + (document.querySelector(".part") === null && before === own.map(function (t) { return t.className; }).join("|")));
  document.title = "PROBE " + seen.join(";") + " END";
});
