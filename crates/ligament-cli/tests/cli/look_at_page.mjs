// Opens a page in Chromium and tells what is on it.
//
//   node look_at_page.mjs TOOLS PAGE [PICTURE_PREFIX]
//
// TOOLS has node_modules and the unpacked browser. With a prefix, pictures of the page go to
// PREFIX-light.png, PREFIX-dark.png, PREFIX-narrow.png and PREFIX-paper.pdf.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, page_path, prefix] = process.argv.slice(2);
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
process.env.TMPDIR = join(resolve(tools), "unpacked");
const from_tools = createRequire(join(resolve(tools), "package.json"));
const load = async (name) => (await import(pathToFileURL(from_tools.resolve(name)))).default;
const chromium = await load("@sparticuz/chromium");
const puppeteer = await load("puppeteer-core");
// The package brings a font for machines without any; others use their own.
if (existsSync("/etc/fonts/fonts.conf")) delete process.env.FONTCONFIG_PATH;
chromium.setGraphicsMode = false;
const browser = await puppeteer.launch({
  args: chromium.args.filter((a) => a !== "--single-process"),
  executablePath: await chromium.executablePath(),
  headless: "shell",
});
try {
  const page = await browser.newPage();
  const said = [];
  const asked = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) asked.push(request.url());
  });
  const address = pathToFileURL(resolve(page_path)).href;
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address, { waitUntil: "networkidle0" });
  const found = await page.evaluate(async () => {
    const images = [...document.querySelectorAll("main img")];
    const broken = [];
    for (const image of images) {
      try {
        await image.decode();
      } catch (error) {
        broken.push(image.alt);
      }
      if (!image.naturalWidth || !image.alt) broken.push(image.alt);
    }
    const cells = (row) => [...row.children].map((cell) => cell.textContent);
    const bars = [...document.querySelectorAll("svg.chart rect")];
    return {
      title: document.title,
      verdict: document.querySelector(".verdict h2")?.textContent ?? "",
      sentences: [...document.querySelectorAll(".verdict p")].map((p) => p.textContent),
      images: images.length,
      broken,
      columns: [...document.querySelectorAll("table.measures thead th.name")].map((t) => t.textContent),
      measures: Object.fromEntries(
        [...document.querySelectorAll("table.measures tr[data-measure]")].map((r) => [r.dataset.measure, cells(r)]),
      ),
      places: [...document.querySelectorAll("table.heat tbody tr")].map(cells),
      charts: document.querySelectorAll("svg.chart").length,
      bars: bars.filter((b) => b.getBoundingClientRect().width > 0).length,
      wider_than_window: document.documentElement.scrollWidth > window.innerWidth,
      bytes: document.documentElement.outerHTML.length,
    };
  });
  // A picture opens large, and closes again.
  await page.click(".grid img");
  found.opens_large = await page.evaluate(() => document.getElementById("large").open);
  await page.click("#large");
  found.closes = await page.evaluate(() => !document.getElementById("large").open);
  const colours = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.backgroundColor, style.color];
    });
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    found[scheme] = await colours();
    if (prefix) await page.screenshot({ path: `${prefix}-${scheme}.png`, fullPage: true });
  }
  await page.emulateMediaType("print");
  found.paper = await colours(); // still asked for dark: paper is white all the same
  const pdf = await page.pdf({ format: "A4", printBackground: true, path: prefix && `${prefix}-paper.pdf` });
  found.pdf_bytes = pdf.length;
  await page.emulateMediaType("screen");
  await page.setViewport({ width: 420, height: 900 });
  found.wider_than_phone = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  if (prefix) await page.screenshot({ path: `${prefix}-narrow.png`, fullPage: true });
  found.said = said;
  found.asked = asked.filter((a) => a !== address);
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
}
