// The table of pairs: searched, filtered and sorted here, some at a time. Texts are set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("pairs-data").textContent);
  const find = (id) => document.getElementById(id);
  const PAGE = 50;
  const INDEX = { "1": 0, "0": 1, "-1": 2 };
  const SURPRISING = 0.2;
  let page = 0;

  const pairs = data.rows.map((row, at) => {
    const texts = row.texts.map((text) => data.texts[text]);
    const given = row.probabilities[INDEX[row.people]];
    const place = [row.file, row.line, row.id].filter((part) => part !== undefined).join(" ");
    return { ...row, at, texts, given, place, sure: Math.max(...row.probabilities),
             found: [place, ...texts].join("\n").toLocaleLowerCase() };
  });
  const SHOWN = {
    all: () => true,
    wrong: (pair) => pair.verdict !== pair.people,
    right: (pair) => pair.verdict === pair.people,
    "people-tie": (pair) => pair.people === 0,
    "model-tie": (pair) => pair.verdict === 0,
    surprising: (pair) => pair.given < SURPRISING,
  };
  const ORDERS = {
    file: (one, other) => one.at - other.at,
    surprising: (one, other) => one.given - other.given,
    expected: (one, other) => other.given - one.given,
    sure: (one, other) => other.sure - one.sure,
    unsure: (one, other) => one.sure - other.sure,
  };

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const cell = (name, text, className) => {
    const made = element("td", text, className);
    made.dataset.name = name;
    return made;
  };
  const NAMES = ["hypothesis 1", "hypothesis 2", "reference"];
  const row = (pair) => {
    const made = element("tr");
    const place = element("th", pair.place);
    place.scope = "row";
    place.dataset.name = "line";
    made.append(place, cell("label", String(pair.people)));
    made.append(cell("predicted", String(pair.verdict), pair.verdict === pair.people ? "" : "wrong"));
    made.append(cell("p(label)", pair.given.toFixed(3)));
    const texts = element("td");
    pair.texts.forEach((text, at) => {
      const line = element("p");
      line.dir = "auto";
      line.append(element("b", NAMES[Math.min(at, 2)], "who"), element("bdi", text));
      texts.append(line);
    });
    made.append(texts);
    return made;
  };

  const show = () => {
    const words = find("pairs-search").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const shown = SHOWN[find("pairs-show").value];
    const hits = pairs.filter((pair) => shown(pair) && words.every((word) => pair.found.includes(word)));
    hits.sort(ORDERS[find("pairs-order").value]);
    const last = Math.max(0, Math.ceil(hits.length / PAGE) - 1);
    page = Math.min(page, last);
    const part = hits.slice(page * PAGE, (page + 1) * PAGE);
    find("pairs-rows").replaceChildren(...part.map(row));
    const from = hits.length ? page * PAGE + 1 : 0;
    find("pairs-count").textContent = `${hits.length} of ${pairs.length} pairs; ${from} to ${page * PAGE + part.length} shown`;
    find("pairs-before").disabled = page === 0;
    find("pairs-after").disabled = page === last;
  };
  const anew = () => { page = 0; show(); };
  find("pairs-search").addEventListener("input", anew);
  find("pairs-show").addEventListener("change", anew);
  find("pairs-order").addEventListener("change", anew);
  find("pairs-before").addEventListener("click", () => { page -= 1; show(); });
  find("pairs-after").addEventListener("click", () => { page += 1; show(); });
  find("pairs-tools").hidden = false;
  show();
})();
