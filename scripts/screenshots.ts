// Takes the pictures of docs/images: every page in both themes and both languages, the chat on a phone, and a short tour. Needs
// Debian's chromium and the built page (npm run build). `node scripts/screenshots.ts [page ...]`
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { type DemoHome, openDemoHome, openEmptyHome } from "./demo/demo-home.ts";

const folder = join(import.meta.dirname, "../docs/images");
const pages = ["chat", "memory", "context", "schedule", "skills", "channels", "usage", "settings", "logs"];
const languages = { english: "en-GB", chinese: "zh-CN" } as const;
const themes = ["light", "dark"] as const;
const sizes = { desk: { width: 1280, height: 832 }, phone: { width: 390, height: 844 } };

const wanted = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
await mkdir(folder, { recursive: true });
try {
  for (const language of Object.keys(languages) as Array<keyof typeof languages>) {
    await withHome(await openDemoHome(language), async (home) => {
      for (const theme of themes) await takeAll(browser, home, { language, theme });
      await takeTour(browser, home, language);
    });
    await withHome(await openEmptyHome(language), async (home) => {
      for (const theme of themes) await takeWelcome(browser, home, { language, theme });
    });
  }
} finally {
  await browser.close();
}

interface Look {
  language: keyof typeof languages;
  theme: (typeof themes)[number];
}

async function withHome(home: DemoHome, work: (home: DemoHome) => Promise<void>): Promise<void> {
  try {
    await work(home);
  } finally {
    await home.close();
  }
}

async function enter(browser: Browser, home: DemoHome, { language, theme }: Look): Promise<Page> {
  const context = await browser.newContext({
    locale: languages[language],
    colorScheme: theme,
    viewport: sizes.desk,
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const { urls } = await home.gateway.client.call("web.link", {});
  await page.goto(urls[0] ?? "");
  await page.locator("main").waitFor();
  return page;
}

/** The first page that a user sees. */
async function takeWelcome(browser: Browser, home: DemoHome, look: Look): Promise<void> {
  if (!isWanted("welcome")) return;
  const page = await enter(browser, home, look);
  await settle(page);
  await take(page, `welcome-${look.theme}-${look.language}`);
  await page.context().close();
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

async function takeAll(browser: Browser, home: DemoHome, look: Look): Promise<void> {
  const page = await enter(browser, home, look);
  const { theme, language } = look;
  for (const name of pages.filter(isWanted)) {
    await open(page, name, home);
    await take(page, `${name}-${theme}-${language}`);
  }
  if (isWanted("phone")) {
    await page.setViewportSize(sizes.phone);
    await open(page, "chat", home);
    await take(page, `phone-${theme}-${language}`);
  }
  await page.context().close();
}

/** The moving picture of the README: about 15 seconds, from the first words to what has come of them. */
async function takeTour(browser: Browser, home: DemoHome, language: Look["language"]): Promise<void> {
  if (!isWanted("tour")) return;
  const page = await enter(browser, home, { language, theme: "light" });
  const frames: Array<{ picture: Buffer; ms: number }> = [];
  const keep = async (ms: number) => frames.push({ picture: await page.screenshot(), ms });
  await page.evaluate('location.hash = "#/chat"');
  await settle(page);
  await keep(1_200);
  const words = home.question.match(/[\p{Script=Han}，。]{1,4}|\S+\s*/gu) ?? [];
  for (const [index, word] of words.entries()) {
    await page.keyboard.type(word);
    if (index % 2 === 0 || index === words.length - 1) await keep(index === words.length - 1 ? 900 : 220);
  }
  await open(page, "chat", home);
  await page.evaluate("document.querySelector('[role=log]').scrollTo(0, 0)");
  await keep(2_400);
  await page.evaluate("document.querySelector('[role=log]').scrollTo(0, 1e6)");
  await keep(3_000);
  for (const name of ["memory", "schedule", "usage"]) {
    await open(page, name, home);
    await keep(2_000);
  }
  await page.context().close();
  const pictures = await Promise.all(
    frames.map(({ picture }) => sharp(picture).resize({ width: 960 }).png().toBuffer()),
  );
  const file = `tour-${language}.webp`;
  await sharp(pictures, { join: { animated: true } })
    .webp({ loop: 0, delay: frames.map(({ ms }) => ms), quality: 82, effort: 5 })
    .toFile(join(folder, file));
  console.log(`docs/images/${file}`);
}

async function open(page: Page, name: string, { sessionKey }: DemoHome): Promise<void> {
  const address = name === "chat" ? `#/chat/${encodeURIComponent(sessionKey)}` : `#/${name}`;
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await settle(page);
}

async function settle(page: Page): Promise<void> {
  // Skeletons are shown while something is loading.
  await expectNone(page, "main [aria-busy=true]");
  await page.evaluate("document.fonts.ready");
  await page.waitForTimeout(600);
}

async function expectNone(page: Page, selector: string): Promise<void> {
  for (let left = 50; left > 0 && (await page.locator(selector).count()) > 0; left--)
    await page.waitForTimeout(200);
}

async function take(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot();
  await writeFile(
    join(folder, `${name}.png`),
    await sharp(picture).png({ palette: true, quality: 90 }).toBuffer(),
  );
  console.log(`docs/images/${name}.png`);
}
