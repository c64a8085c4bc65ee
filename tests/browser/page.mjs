// Opens a page that Tribunal wrote in Chromium, with two widths, colours and fonts, and checks what a reader would see.
//
//     node page.mjs report.html [explanation.html] [--shots FOLDER] [--planted]
//
// --planted: the page's data hold the text in PLANTED, which must be seen as text; --shots keeps pictures.
import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const PLANTED = "<script>alert('planted')</script>";
// DejaVu Sans is wider than most fonts.
const FONTS = ["Noto Sans", "DejaVu Sans"];
const LOOKS = [1280, 400].flatMap((width) => [["light", FONTS[0]], ["dark", FONTS[1]]].map(([colorScheme, font]) => ({ width, colorScheme, font })));
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const args = process.argv.slice(2);
const option = (name) => args.includes(name);
const shots = option("--shots") ? args[args.indexOf("--shots") + 1] : null;
const pages = args.filter((arg) => arg.endsWith(".html"));
const faults = [];
const expect = (is, what) => { if (!is) faults.push(what); };

// Every look: no error, no request, nothing wider than the window, nothing that a screen reader stumbles over.
async function look(browser, file, { width, colorScheme, font }) {
  const what = `${basename(file)}, ${width} pixels, ${colorScheme}, ${font}`;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: false });
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error") faults.push(`${what}: ${message.text()}`); });
  page.on("pageerror", (error) => faults.push(`${what}: ${error.message}`));
  page.on("dialog", async (dialog) => { faults.push(`${what}: a dialog, ${dialog.message()}`); await dialog.dismiss(); });
  const url = pathToFileURL(resolve(file)).href;
  page.on("request", (request) => { if (request.url() !== url) faults.push(`${what}: asks for ${request.url()}`); });
  await page.goto(url);
  await page.addStyleTag({ content: `* { font-family: "${font}" !important }` });
  expect(await page.evaluate((name) => document.fonts.check(`12px "${name}"`), font), `${what}: the font is not installed`);
  const isRanking = basename(file).startsWith("ranking");
  if (!basename(file).startsWith("explanation")) {
    const [title, heading] = await page.evaluate(() => [document.title, document.querySelector("h1").textContent]);
    expect(title === `Tribunal: ${heading}`, `${what}: the title '${title}' is not the heading '${heading}'`);
    expect((isRanking ? /arena.csv, by .*\?$/ : /\.pairs\?$/).test(heading), `${what}: '${heading}' does not name the data and the question`);
    for (const fault of await page.evaluate(sections)) faults.push(`${what}: ${fault}`);
  }
  // What is shown on request is looked at, too.
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `${what}: ${wide} pixels wider than the window`);
  for (const fault of [...await page.evaluate(overlaps), ...await page.evaluate(scrolled)]) faults.push(`${what}: ${fault}`);
  if (shots) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${basename(file, ".html")}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await page.addScriptTag({ path: axe }).catch(() => page.evaluate(() => undefined));
  return { page, context, what };
}

// Labels of charts that lie over each other or stick out of their chart.
function overlaps() {
  const found = [];
  for (const chart of document.querySelectorAll("svg.chart")) {
    const frame = chart.getBoundingClientRect();
    const labels = [...chart.querySelectorAll("text")].filter((label) => label.textContent.trim());
    const boxes = labels.map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }));
    const name = chart.querySelector("title").textContent;
    for (const { text, box } of boxes) {
      const out = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
      if (out > 1) found.push(`'${text}' sticks out of the chart '${name}' by ${out.toFixed(1)} pixels`);
    }
    boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      // The box of a line of text is higher than its letters.
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 1 && down > 0.35 * one.box.height) found.push(`'${one.text}' lies over '${other.text}' in '${name}'`);
    }));
  }
  return found;
}

// What scrolls shows that it does, by a shadow that stays while the content moves.
function scrolled() {
  const wide = [...document.querySelectorAll("*")].filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX));
  return wide.filter((each) => !/gradient.*gradient/.test(getComputedStyle(each).backgroundImage) || !getComputedStyle(each).backgroundAttachment.includes("scroll"))
    .map((each) => `${each.tagName} '${each.textContent.trim().slice(0, 30)}' scrolls and does not show it`);
}

// Every section ends in one sentence of advice; no line, table or chart is there twice; the grid is short.
function sections() {
  const found = [];
  for (const section of document.querySelectorAll("main > section")) {
    const advice = section.querySelectorAll(":scope > .advice");
    if (advice.length !== 1 || section.lastElementChild !== advice[0]) found.push(`section '${section.id}' has ${advice.length} sentences of advice`);
    else if (!/^[A-Z].*\.$/.test(advice[0].textContent)) found.push(`'${advice[0].textContent}' is no sentence`);
  }
  const seen = [...document.querySelectorAll("figcaption, caption, p.note, .advice, .answer li")].filter((each) => !each.closest("details, .pair"));
  const texts = seen.map((each) => each.textContent.trim());
  for (const text of new Set(texts.filter((text, at) => texts.indexOf(text) !== at))) found.push(`'${text}' is there twice`);
  for (const caption of document.querySelectorAll("section figcaption, section caption")) {
    const heading = caption.closest("section").querySelector("h2")?.textContent.trim();
    if (caption.textContent.trim() === heading) found.push(`the heading '${heading}' stands twice`);
  }
  const grid = [...document.querySelectorAll("figure svg")].find((each) => each.querySelector("title").textContent === "Significant differences");
  const rows = grid ? grid.querySelectorAll("text.name").length : 0;
  if (grid && (rows < 2 || rows > 10 || grid.closest("details"))) found.push(`the grid shows ${rows} rows`);
  return found;
}

async function accessible(page, what) {
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
  for (const { id, help, nodes } of violations) {
    faults.push(`${what}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")} (${nodes.length})`);
  }
}

// The table of pairs: searched, filtered, sorted.
async function table(page, what) {
  const rows = page.locator("#pairs-rows tr");
  const count = async () => Number((await page.locator("#pairs-count").textContent()).split(" ")[0]);
  const all = await count();
  expect(all > 0 && (await rows.count()) === Math.min(all, 50), `${what}: the table shows ${await rows.count()} of ${all} pairs`);
  await page.selectOption("#pairs-show", "wrong");
  const wrong = await count();
  expect(wrong > 0 && wrong < all, `${what}: ${wrong} of ${all} pairs are wrong`);
  const cells = await rows.first().locator("[data-name]").allTextContents();
  expect(cells[1] !== cells[2], `${what}: a wrong pair has the verdicts ${cells[1]} and ${cells[2]}`);
  await page.selectOption("#pairs-show", "right");
  expect((await count()) === all - wrong, `${what}: right and wrong pairs are not all pairs`);
  await page.selectOption("#pairs-show", "all");
  await page.selectOption("#pairs-order", "surprising");
  const given = (await page.locator('#pairs-rows [data-name="p(label)"]').allTextContents()).map(Number);
  expect(given.every((share, at) => at === 0 || share >= given[at - 1]), `${what}: the order is not that of surprise`);
  await page.fill("#pairs-search", "no pair has these words");
  expect((await count()) === 0, `${what}: a search for what is not there finds ${await count()}`);
  if (option("--planted")) {
    await page.fill("#pairs-search", PLANTED);
    expect((await count()) > 0, `${what}: the planted text is not found in the table`);
    const seen = await page.locator("#pairs-rows").innerText();
    expect(seen.includes(PLANTED), `${what}: the planted text is not seen as text in the table`);
    const scripts = await page.locator("#pairs-rows script").count();
    expect(scripts === 0, `${what}: the planted script is an element`);
  }
  await page.fill("#pairs-search", "");
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
for (const file of pages) {
  for (const each of LOOKS) {
    const { page, context, what } = await look(browser, file, each);
    await accessible(page, what);
    if (await page.locator("#pairs-table").count()) await table(page, what);
    await context.close();
  }
}
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages in ${LOOKS.length} looks: ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
