// This probe hides and isolates classifiers, walks through the marks of a figure by keyboard,
// opens replicates and reads what would be saved.
const seen = [], saved = [];
window.addEventListener("error", function (e) { seen.push("ERROR " + e.message); });
URL.createObjectURL = function (blob) { saved.push(blob); return "#"; };
URL.revokeObjectURL = function () {};
window.addEventListener("load", async function () {
  const drawings = Array.from(document.querySelectorAll(".drawing")), first = drawings[0];
  const visible = function (id) {
    return drawings.filter(function (d) { return Array.from(d.querySelectorAll('g[data-series="' + id + '"]')).some(function (g) { return getComputedStyle(g).display !== "none"; }); }).length;
  };
  const button = function (id) { return document.querySelector('.legend button[data-id="' + id + '"]'); };
  // Browsers follow a key press by its default action. For Enter this is a click on the focused button.
  const pressOn = function (target, name) {
    const unhandled = target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    if (unhandled && name === "Enter" && document.activeElement.nodeName === "BUTTON") document.activeElement.click();
  };
  const key = function (name) { pressOn(first, name); };
  const opacity = function (id) { return getComputedStyle(first.querySelector('g[data-series="' + id + '"]')).opacity; };
  const before = visible("nb");
  button("nb").dispatchEvent(new PointerEvent("pointerenter"));
  const dimmed = opacity("slb");
  button("nb").click();
  seen.push("hidden everywhere " + (before > 1 && visible("nb") === 0 && visible("slb") > 1) + " " + button("nb").getAttribute("aria-pressed") + ", dimmed " + dimmed + " before and " + opacity("slb") + " after");
  document.querySelector(".legend .all").click();
  seen.push("shown again " + (visible("nb") === before));
  button("slb").dispatchEvent(new MouseEvent("click", { shiftKey: true }));
  seen.push("alone " + (visible("slb") > 0 && visible("nb") + visible("5nn") === 0));
  document.querySelector(".legend .all").click();
  key("ArrowRight");
  const tip = document.querySelector(".tip");
  seen.push("tip " + tip.innerText.split("\n").slice(0, 3).join("|") + " " + (first.querySelector("title") === null || first.querySelectorAll("g > title").length === 0));
  seen.push("lit " + opacity("nb"));
  key("Enter");
  const dialog = document.querySelector("dialog");
  seen.push("replicates " + dialog.open + " " + dialog.querySelectorAll("tbody tr").length + " " + /copse repro results\/sample c\d\d\/\d+\/slb/.test(dialog.innerText));
  dialog.close();
  const cell = document.querySelector("#results tr[data-cells] td");
  cell.click();
  seen.push("of a table " + dialog.open + " " + dialog.querySelector("h2").innerText);
  dialog.close();
  const press = function (name) { pressOn(document.activeElement, name); };
  cell.focus();
  ["ArrowDown", "ArrowRight", "Enter"].forEach(press);
  seen.push("by keyboard " + dialog.open + " " + dialog.querySelector("h2").innerText);
  dialog.close();
  button("nb").click();
  const savers = Array.from(first.closest("figure").querySelectorAll(".save button"));
  savers.filter(function (b) { return b.textContent !== "PNG"; }).forEach(function (b) { b.click(); });
  const texts = await Promise.all(saved.map(function (b) { return b.text(); }));
  const lines = texts[1].trim().split("\n");
  seen.push("svg " + (new DOMParser().parseFromString(texts[0], "image/svg+xml").querySelectorAll('[data-series="nb"]').length) + " " + texts[0].includes('data-series="slb"'));
  seen.push("csv " + lines[0].startsWith("# Figure 1") + " " + lines[1].startsWith("classifier,panel,mean test error (%)") + " " + (lines.length - 2) + " " + lines.slice(2).some(function (l) { return l.startsWith("NB"); }));
  seen.push("scrolls " + (document.documentElement.scrollWidth > document.documentElement.clientWidth));
  const boxes = Array.from(document.querySelectorAll("h1, h2, p, figcaption, .drawing, .legend button, table")).filter(function (e) { return e.offsetWidth > 0 && !e.closest(".scroll, dialog"); }).map(function (e) { return e.getBoundingClientRect(); });
  seen.push("beyond the window " + boxes.filter(function (b) { return b.left < -1 || b.right > window.innerWidth + 1; }).length + " of " + window.innerWidth);
  top.postMessage("PROBE " + seen.join(";") + " END", "*");
});
