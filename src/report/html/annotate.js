// Shows one pair or output after another, and keeps what the annotator chose: in this browser, until it is exported.
"use strict";
const data = JSON.parse(document.getElementById("annotate-data").textContent);
// About a thousand words in each text, and the white space between them.
const MOST_CELLS = 4e6;
const element = (id) => document.getElementById(id);

const isPairs = data.unit === "pair";
const Unit = isPairs ? "Pair" : "Output";

// A choice: `chosen` is the key of one of `data.choices`, null where the row was skipped.
let annotator = data.annotator;
let choices = [];
let since = 0;
let spent = 0;

const key = () => `tribunal-${data.digest}-${annotator}`;

function load() {
  try {
    choices = JSON.parse(localStorage.getItem(key())) ?? [];
  } catch {
    choices = [];
    element("storage").hidden = false;
  }
}

function save() {
  try {
    localStorage.setItem(key(), JSON.stringify(choices));
  } catch {
    element("storage").hidden = false;
  }
}

// The time for which a row is looked at: not while the page is hidden.
const elapsed = () => (spent + (document.hidden ? 0 : performance.now() - since)) / 1000;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) spent += performance.now() - since;
  since = performance.now();
});

function show(said) {
  const at = choices.length;
  const item = data.items[at];
  element("start").hidden = true;
  element("work").hidden = !item;
  element("end").hidden = Boolean(item);
  element("tools").hidden = false;
  element("export").disabled = !choices.some((choice) => choice.chosen !== null);
  element("status").textContent = said;
  if (!item) {
    element("consistency").textContent = consistency();
    element("done").focus();
    return;
  }
  const row = data.rows[item.row];
  element("place").textContent = `${Unit} ${at + 1} of ${data.items.length}`;
  element("progress").max = data.items.length;
  element("progress").value = at;
  element("progress").textContent = `${at} of ${data.items.length}`;
  element("prompt-box").hidden = !row.prompt;
  element("prompt").textContent = row.prompt ?? "";
  showAll("context", row.contexts ?? []);
  showAll("reference", row.references);
  showTexts();
  element("comment").value = "";
  element("undo").disabled = at === 0;
  [since, spent] = [performance.now(), 0];
  element("place").focus();
}

// The texts that are not blank, each in a paragraph; the box of none is hidden.
function showAll(name, texts) {
  const shown = texts.filter((text) => text.trim());
  element(`${name}-box`).hidden = !shown.length;
  element(`${name}s`).replaceChildren(...shown.map((text) => {
    const paragraph = document.createElement("p");
    paragraph.className = "shown";
    paragraph.dir = "auto";
    paragraph.textContent = text;
    return paragraph;
  }));
}

// The texts in the order of the item, those of a pair with their differences marked if that is wished.
function showTexts() {
  element("unmarked").hidden = true;
  const item = data.items[choices.length];
  if (!item) return;
  const texts = [...data.rows[item.row].texts];
  if (item.is_exchanged) texts.reverse();
  const parts = element("mark").checked ? differences(...texts) : texts.map((text) => [[text, false]]);
  parts.forEach((pieces, side) => {
    element(`text-${side + 1}`).replaceChildren(...pieces.map(([text, differs]) => {
      if (!differs) return document.createTextNode(text);
      const mark = document.createElement("mark");
      mark.textContent = text;
      return mark;
    }));
  });
}

// Each text in pieces, with whether a piece is missing in the other: words outside of a longest common subsequence.
function differences(one, other) {
  const words = [one, other].map((text) => text.split(/(\s+)/));
  const [first, second] = words;
  // The table takes room and time: longer texts are shown as they are, and that is said.
  if (first.length * second.length > MOST_CELLS) {
    element("unmarked").hidden = false;
    return [[[one, false]], [[other, false]]];
  }
  const length = Array.from({ length: first.length + 1 }, () => new Uint32Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      length[i][j] = first[i] === second[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const pieces = [[], []];
  let [i, j] = [0, 0];
  while (i < first.length || j < second.length) {
    if (i < first.length && j < second.length && first[i] === second[j]) {
      pieces[0].push([first[i++], false]);
      pieces[1].push([second[j++], false]);
    } else if (j >= second.length || (i < first.length && length[i + 1][j] >= length[i][j + 1])) {
      pieces[0].push([first[i], first[i++].trim() !== ""]);
    } else {
      pieces[1].push([second[j], second[j++].trim() !== ""]);
    }
  }
  return pieces;
}

function choose(chosen) {
  if (element("work").hidden || choices.length >= data.items.length) return;
  const said = data.choices.find(({ key }) => key === chosen)?.text ?? "Skipped";
  choices.push({ chosen, seconds: Math.round(elapsed() * 10) / 10, comment: element("comment").value.trim() });
  save();
  show(`${Unit} ${choices.length}: ${said}.`);
}

function undo() {
  if (!choices.length) return;
  const { comment, seconds } = choices.pop();
  save();
  show(`${Unit} ${choices.length + 1} again.`);
  element("comment").value = comment;
  spent = 1000 * seconds;
}

// The label of a choice, of a pair with regard to its order in the file: 1, 0 or -1.
function label(at) {
  const { label } = data.choices.find(({ key }) => key === choices[at].chosen);
  return data.items[at].is_exchanged ? 0 - label : label;
}

// The places of labelled rows, each with that of its repeat if that is labelled, too.
function labelled() {
  const is = (at, repeat) => at < choices.length && choices[at].chosen !== null && data.items[at].is_repeat === repeat;
  const places = data.items.map((_, at) => at);
  return places.filter((at) => is(at, false)).map((at) => ({
    at,
    again: places.find((other) => is(other, true) && data.items[other].row === data.items[at].row),
  }));
}

function consistency() {
  const found = labelled();
  const twice = found.filter(({ again }) => again !== undefined);
  const same = twice.filter(({ at, again }) => label(at) === label(again)).length;
  const exchanged = isPairs ? ", the second time with the texts exchanged" : "";
  const controls = twice.length
    ? ` ${twice.length} were shown twice${exchanged}: you gave the same label to ${same}.`
    : "";
  return `${found.length} of ${data.rows.length} ${data.unit}s are labelled.${controls} Export the labels now.`;
}

const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

function table() {
  const sides = isPairs ? ["shown_first"] : [];
  const header = [...data.columns, "label", "annotator", ...sides, "order", "seconds", "comment", "label_again"];
  const rows = labelled().map(({ at, again }) => [
    ...data.rows[data.items[at].row].cells,
    label(at),
    annotator,
    ...sides.map(() => (data.items[at].is_exchanged ? "hyp2" : "hyp1")),
    at + 1,
    choices[at].seconds,
    choices[at].comment,
    again === undefined ? "" : label(again),
  ]);
  // Labels of earlier waves, with which `rank` weighs these.
  const empty = header.slice(data.columns.length + 2).map(() => "");
  const earlier = (data.earlier ?? []).map((cells) => [...cells, ...empty]);
  return [header, ...rows, ...earlier].map((row) => row.map(cell).join(",") + "\n").join("");
}

function exported() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
  const plain = (text) => text.replace(/\.[a-z0-9]+$/i, "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  link.download = `${plain(data.name) || `${data.unit}s`}-${plain(annotator) || "annotator"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  element("status").textContent = `Exported ${labelled().length} labels as ${link.download}.`;
}

// The name of who was here last, so that a reload goes on.
const lastKey = `tribunal-${data.digest}`;

function last() {
  try {
    return localStorage.getItem(lastKey);
  } catch {
    return null;
  }
}

function begin() {
  try {
    localStorage.setItem(lastKey, annotator);
  } catch {
    element("storage").hidden = false;
  }
  load();
  show(choices.length ? `Welcome back: ${choices.length} of ${data.items.length} are done.` : "");
}

const keys = { s: () => choose(null), u: undo, Backspace: undo };
for (const { key } of data.choices) {
  keys[key] = () => choose(key);
  element(`choose-${key}`).addEventListener("click", keys[key]);
}
element("skip").addEventListener("click", () => choose(null));
element("undo").addEventListener("click", undo);
element("undo-last").addEventListener("click", undo);
element("mark").addEventListener("change", showTexts);
element("export").addEventListener("click", exported);
element("start").addEventListener("submit", (event) => {
  event.preventDefault();
  annotator = element("annotator").value.trim();
  begin();
});
document.addEventListener("keydown", (event) => {
  // A key that is held is one choice.
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || element("start").hidden === false) return;
  if (event.target === element("comment")) {
    // Back to the keys.
    if (["Enter", "Escape"].includes(event.key)) element("place").focus();
    return;
  }
  if (event.key.toLowerCase() === "c" && !element("work").hidden) {
    event.preventDefault();
    element("comment").focus();
  } else if (keys[event.key.toLowerCase()] ?? keys[event.key]) {
    event.preventDefault();
    (keys[event.key.toLowerCase()] ?? keys[event.key])();
  }
});

element("annotator").value = annotator ?? last() ?? "";
element("annotator").readOnly = Boolean(annotator);
element("start").hidden = false;
element("annotator").focus();
