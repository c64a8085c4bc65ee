// Labels pairs or outputs on the page that `annotate` writes, by keyboard, and writes what the page exports.
//
//     node annotate.mjs page.html labels.csv pressed.json [--shots FOLDER]
//
// The page asks for the annotator's name. In the middle the page is reloaded; one choice is undone, one row skipped, one has a
// comment. pressed.json gets each row's texts with the label that was meant for the row as it is in the file.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [file, labels, pressed] = process.argv.slice(2);
const shots = process.argv.includes("--shots") ? process.argv.at(-1) : null;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const url = pathToFileURL(resolve(file)).href;
const faults = [];
const expect = (is, what) => { if (!is) faults.push(what); };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function opened(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", async (dialog) => { faults.push(`a dialog, ${dialog.message()}`); await dialog.dismiss(); });
  page.on("request", (request) => { if (!request.url().startsWith(url) && !request.url().startsWith("blob:")) faults.push(`asks for ${request.url()}`); });
  await page.goto(url);
  return { context, page };
}

async function accessible(page, what) {
  await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth).then((fits) => expect(fits, `${what}: wider than the window`));
  await page.addScriptTag({ path: axe });
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
  for (const { id, help, nodes } of violations) faults.push(`${what}: ${id}: ${help}: ${nodes.map((node) => node.target.join(" ")).join("; ")}`);
}

async function start(page, name = "ann") {
  if (name) await page.fill("#annotator", name);
  await page.keyboard.press("Enter");
}

// Three looks: the start, a row, of pairs with its differences marked, and the end are looked at below.
for (const [width, scheme] of [[1280, "light"], [400, "light"], [1280, "dark"]]) {
  const { context, page } = await opened(width, scheme);
  await accessible(page, `start, ${width}, ${scheme}`);
  await start(page);
  if (await page.isVisible("#mark")) await page.check("#mark");
  await accessible(page, `row, ${width}, ${scheme}`);
  if (shots) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${basename(file, ".html")}-${width}-${scheme}.png`, fullPage: true });
  }
  await context.close();
}

const { page } = await opened(1280, "light");
await start(page);
const data = await page.evaluate(() => JSON.parse(document.getElementById("annotate-data").textContent));
const meant = new Map();
const isPairs = data.unit === "pair";
const keys = data.choices.map(({ key }) => String(key));
const unit = isPairs ? "Pair" : "Output";
expect(isPairs === (await page.isVisible("#mark")), "differences are marked of outputs, or not of pairs");
for (let at = 0; at < data.items.length; at++) {
  const item = data.items[at];
  const { texts } = data.rows[item.row];
  const contexts = data.rows[item.row].contexts ?? [];
  expect((await page.locator("#contexts p").allTextContents()).join() === contexts.join(), `${at}: other contexts are shown`);
  const shown = item.is_exchanged ? [...texts].reverse() : texts;
  expect((await page.textContent("#place")) === `${unit} ${at + 1} of ${data.items.length}`, `${at}: '${await page.textContent("#place")}'`);
  const seen = await page.locator(".side .shown").allTextContents();
  expect(JSON.stringify(seen) === JSON.stringify(shown), `${at}: other texts are shown`);
  expect(await page.evaluate(() => document.activeElement.id === "place"), `${at}: the focus is elsewhere`);
  if (at === 3) {
    await page.keyboard.press("s");
    continue;
  }
  if (at === 5) {
    await page.keyboard.press("c");
    await page.keyboard.type("taken back");
    await page.keyboard.press("Enter");
    await page.keyboard.press("1");
    await page.keyboard.press("u");
    expect((await page.inputValue("#comment")) === "taken back", "undo forgets the comment");
    await page.fill("#comment", "");
    await page.focus("#place");
  }
  expect((await page.locator(".side .shown *, #references script, #contexts script").count()) === 0, `${at}: markup became elements`);
  if (at === 7) {
    await page.keyboard.press("c");
    await page.keyboard.type('not sure, "really" 1');
    await page.keyboard.press("Enter");
  }
  if (at === 10) {
    await page.reload();
    // It knows who was here.
    await start(page, null);
    expect((await page.textContent("#status")).startsWith("Welcome back: 10 of"), "the page forgot what was chosen");
  }
  const choice = keys[at % keys.length];
  await page.keyboard.press(choice);
  // The keys of pairs are places, those of outputs are the labels.
  const first = isPairs ? { 1: 1, 2: -1, 0: 0 }[choice] : Number(choice);
  const label = item.is_exchanged ? 0 - first : first;
  if (!item.is_repeat) meant.set(item.row, label);
}
expect(await page.isVisible("#end"), "the end is not shown");
expect(/of \d+ (pair|output)s are labelled/.test(await page.textContent("#consistency")), await page.textContent("#consistency"));
await accessible(page, "end");
const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
await download.saveAs(labels);
expect(/-ann\.csv$/.test(download.suggestedFilename()), download.suggestedFilename());
writeFileSync(pressed, JSON.stringify([...meant].map(([row, label]) => [data.columns.flatMap((name, at) => (/^(hyp\d|output)$/.test(name) ? data.rows[row].cells[at] : [])), label])));
await browser.close();
for (const fault of faults) console.error(fault);
console.log(`${meant.size} ${data.unit}s labelled by keyboard: ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
