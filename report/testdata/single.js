// This probe points at a figure of one classifier, opens its replicates and reads what would be saved.
const seen = [], saved = [];
window.addEventListener("error", function (e) { seen.push("ERROR " + e.message); });
URL.createObjectURL = function (blob) { saved.push(blob); return "#"; };
URL.revokeObjectURL = function () {};
window.addEventListener("load", async function () {
  const tuned = document.querySelector("#figure-tuned"), buttons = function (figure) { return Array.from(figure.querySelectorAll(".save button")); };
  tuned.querySelector(".drawing").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  seen.push("tip " + document.querySelector(".tip").innerText.split("\n").slice(2, 4).join("|"));
  const table = async function (figure) {
    buttons(figure).find(function (b) { return b.textContent === "CSV"; }).click();
    const text = await saved.pop().text();
    return text.trim().split("\n").slice(1);
  };
  seen.push("csv " + (await table(tuned)).slice(0, 2).join("|"));
  const box = (await table(document.querySelector("#figure-box"))).map(function (line) { return line.split(",").slice(-2); });
  seen.push("intervals " + box[0].join(",") + " " + (Number(box[1][0]) < Number(box[1][1])));
  const bins = (await table(document.querySelector("#figure-reliability"))).map(function (line) { return line.split(",").slice(-7); });
  seen.push("bins " + bins[0].join(",") + " " + bins.slice(1).every(function (b) { return Number(b[4]) < Number(b[5]) && Number(b[6]) >= 25; }));
  seen.push("of curves " + buttons(document.querySelector("#figure-roc")).map(function (b) { return b.textContent; }).join(" "));
  document.querySelector("#results tr[data-cells] td").click();
  seen.push("replicates " + Array.from(document.querySelectorAll("dialog tbody tr")).map(function (r) { return Array.from(r.cells).slice(2).map(function (c) { return isNaN(c.innerText) ? c.innerText : "number"; }).join(","); }).join("|"));
  document.title = "PROBE " + seen.join(";") + " END";
});
