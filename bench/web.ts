// Web: what the page's first load weighs, the time to a first answer, a conversation of 10,000 messages, and the reducer at 1,000 events a second. Needs dist/ and chromium.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Shown } from "../src/api/chat/wire.ts";
import { createHttpClient } from "../src/api/client.ts";
import { toLocalIso } from "../src/lib/clock.ts";
import { toFileName, toStem } from "../src/storage/sessions/session-name.ts";
import { type Action, initialState, reduce } from "../web/src/store/reduce.ts";
import { type LoopbackModel, startModel } from "./loopback-model.ts";
import { median, percentile, printFigure } from "./report.ts";
import { type BenchHome, createBenchHome, readProcessorTime, startGateway } from "./start-gateway.ts";

/** The first one is opened with code that no conversation has run yet. */
const longKeys = ["web:owner:long", "web:owner:long2", "web:owner:long3", "web:owner:long4"];
const frames = 240;
const pixelsAFrame = 180;

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { runs: { type: "string", default: "7" }, messages: { type: "string", default: "10000" } },
  });
  measureReducer();
  const model = await startModel();
  const home = await createBenchHome({
    providers: { loopback: { apiBase: model.apiBase, apiKey: "bench" } },
    agents: { defaults: { provider: "loopback", model: "bench" } },
    memory: { autoRecall: false },
  });
  for (const key of longKeys) await writeLongSession(home, key, Number(values.messages));
  const gateway = await startGateway(home);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    await measureFirstLoad(browser, home);
    await measureFirstAnswer(browser, home, { model, runs: Number(values.runs) });
    await measureLongSession(browser, home, { count: Number(values.messages), pid: gateway.pid });
    await measureTyping(browser, home);
  } finally {
    await browser.close();
    await gateway.close();
    await model.close();
    await home.remove();
  }
}

async function enter(browser: Browser, { path, url }: BenchHome, route = ""): Promise<Page> {
  const address = JSON.parse(await readFile(join(path, "run", "gateway.json"), "utf8"));
  const { urls } = await createHttpClient(address).call("web.link", {});
  const page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}/${new URL(urls[0] ?? "").hash}`);
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  if (route !== "") await page.goto(`${url}/#/${route}`);
  return page;
}

/** Everything that is fetched until one can write, compressed as the gateway sends it at least. */
async function measureFirstLoad(browser: Browser, home: BenchHome): Promise<void> {
  const context = await browser.newContext();
  const sizes: number[] = [];
  const reading: Promise<void>[] = [];
  context.on("response", (response) => {
    const isPage = /\.(js|css|html|svg)$|\/$/.test(new URL(response.url()).pathname);
    const count = (body: Buffer) => void sizes.push(gzipSync(body).length);
    // What comes after one can write is loaded later, and may end with the page.
    if (isPage) reading.push(response.body().then(count, () => {}));
  });
  const page = await context.newPage();
  const address = JSON.parse(await readFile(join(home.path, "run", "gateway.json"), "utf8"));
  const { urls } = await createHttpClient(address).call("web.link", {});
  await page.goto(urls[0] ?? "");
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await Promise.all(reading);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  printFigure({ name: "first-load", value: total / 1000, unit: "kB-gzip" });
  await context.close();
}

/** From the key that sends to the text on the page, against the model asked without anything in between. */
async function measureFirstAnswer(
  browser: Browser,
  home: BenchHome,
  { model, runs }: { model: LoopbackModel; runs: number },
): Promise<void> {
  const page = await enter(browser, home);
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  const bare: number[] = [];
  const shown: number[] = [];
  for (let round = -2; round < runs; round++) {
    const bareMs = await timeBare(model);
    await page.goto(`${home.url}/#/chat`);
    await field.fill("hello");
    const started = performance.now();
    await field.press("Enter");
    await page.getByRole("log").locator("article p").first().waitFor();
    if (round < 0) continue;
    bare.push(bareMs);
    shown.push(performance.now() - started);
  }
  const baseline = median(bare);
  printFigure({ name: "bare-request", value: baseline, unit: "ms" });
  printFigure({ name: "first-answer-on-page", value: median(shown), unit: "ms", baseline });
  await page.close();
}

async function timeBare({ apiBase }: LoopbackModel): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${apiBase}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  return performance.now() - started;
}

async function writeLongSession({ path }: BenchHome, key: string, count: number): Promise<void> {
  const at = Date.now() - count * 1_000;
  const metadata = { _type: "metadata", key, metadata: {}, last_consolidated: 0 };
  const lines = Array.from({ length: count }, (_, index) => {
    const turn = `t${index - (index % 2)}`;
    const isReply = index % 2 === 1;
    return {
      role: isReply ? "assistant" : "user",
      content: isReply
        ? `Reply **${index}**\n\n- one\n- two\n\n\`\`\`ts\nconst n = ${index};\n\`\`\``
        : `Message ${index}`,
      id: isReply ? `${turn}.1` : turn,
      turn,
      at: at + index * 1_000,
      timestamp: toLocalIso(at + index * 1_000),
    };
  });
  await mkdir(join(path, "sessions"), { recursive: true });
  const text = [metadata, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(join(path, "sessions", toFileName(toStem(key))), text);
}

interface LongSession {
  count: number;
  /** Of the gateway. */
  pid: number;
}

/** Wall time is of a machine that others use, too; what the page and the gateway themselves took is not. */
async function measureLongSession(
  browser: Browser,
  home: BenchHome,
  { count, pid }: LongSession,
): Promise<void> {
  const page = await enter(browser, home);
  const idle = await measureFrames(page, 0);
  const readTasks = await watchTasks(page);
  const times: Record<"wall" | "page" | "gateway", number[]> = { wall: [], page: [], gateway: [] };
  for (const key of longKeys) {
    const before = { page: await readTasks(), gateway: await readProcessorTime(pid) };
    const started = performance.now();
    await page.evaluate(`location.hash = "#/chat/${encodeURIComponent(key)}"`);
    await page.getByText(`Reply ${count - 1}`).waitFor();
    times.wall.push(performance.now() - started);
    times.page.push((await readTasks()) - before.page);
    times.gateway.push((await readProcessorTime(pid)) - before.gateway);
    await page.evaluate('location.hash = "#/chat"');
    await page.getByText(`Reply ${count - 1}`).waitFor({ state: "detached" });
  }
  for (const [name, [first = 0, ...others]] of Object.entries(times)) {
    const label = `open-${count}-messages${name === "wall" ? "" : `-${name}`}`;
    printFigure({ name: `${label}-first`, value: first, unit: "ms" });
    printFigure({ name: label, value: median(others), unit: "ms" });
  }
  await page.evaluate(`location.hash = "#/chat/${encodeURIComponent(longKeys[0] ?? "")}"`);
  await page.getByText(`Reply ${count - 1}`).waitFor();
  const scrolled = await measureFrames(page, -pixelsAFrame);
  const [, first = count] = /Message (\d+)/.exec(await page.getByRole("log").innerText()) ?? [];
  printFigure({ name: "scrolled-back", value: count - Number(first), unit: "messages" });
  printFigure({ name: "frame-idle-p50", value: median(idle), unit: "ms" });
  const figures = { p50: 50, p95: 95, max: 100 };
  for (const [name, percent] of Object.entries(figures)) {
    const baseline = percentile(idle, percent);
    printFigure({
      name: `frame-scrolled-${name}`,
      value: percentile(scrolled, percent),
      unit: "ms",
      baseline,
    });
  }
  await page.close();
}

/** A function that says what the page's main thread has done so far, in ms. */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
}

const keys = 100;
const frameMs = 1_000 / 60;

/** What a frame costs while an answer comes in and the next message is typed. */
async function measureTyping(browser: Browser, home: BenchHome): Promise<void> {
  const page = await enter(browser, home);
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await field.fill("a slow answer");
  await field.press("Enter");
  await page.getByText("word word").waitFor();
  const readTasks = await watchTasks(page);
  const [before, started] = [await readTasks(), performance.now()];
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press("x");
    await page.waitForTimeout(30);
  }
  const spent = (await readTasks()) - before;
  const frames = (performance.now() - started) / frameMs;
  printFigure({ name: "typing-while-it-streams", value: spent / frames, unit: "ms-a-frame" });
  await page.close();
}

/** Times between frames while the messages are scrolled; older ones are loaded on the way. */
function measureFrames(page: Page, pixels: number): Promise<number[]> {
  // As text: it runs in the page, whose types are not ours.
  return page.evaluate(`(async () => {
    const log = document.querySelector('[role="log"]');
    const boxes = log === null ? [] : [log, ...log.querySelectorAll("*")];
    const box = boxes.find((each) => each.scrollHeight > each.clientHeight + 100) ?? log?.parentElement;
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < ${frames}; frame++) {
      box?.scrollBy(0, ${pixels});
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  })()`);
}

/** Ten seconds of a lively stream: what the page does with an event, against reading its JSON. */
function measureReducer(): void {
  const perSecond = 1_000;
  const seconds = 10;
  const sessionKey = "web:one";
  const events = Array.from({ length: perSecond * seconds }, (_, index): Shown => {
    const turnId = "t";
    const body =
      index === 0
        ? ({ type: "turn-start" } as const)
        : index % 500 === 1
          ? ({ type: "step-start", step: Math.ceil(index / 500), id: `t.${index}` } as const)
          : ({ type: "text-delta", text: "some words " } as const);
    return { type: "live", turnId, body };
  });
  const texts = events.map((shown, seq) =>
    JSON.stringify({ type: "event", seq: seq + 1, at: 1, event: { type: "shown", sessionKey, shown } }),
  );
  const session = {
    key: sessionKey,
    title: "One",
    updatedAt: 1,
    isPinned: false,
    isArchived: false,
    isRunning: true,
    isAsking: false,
    isClosed: false,
  };
  const nothing = { entries: [], asides: [], said: [], subagents: [], asks: [], hasMore: false };
  const opening: Action[] = [
    { type: "open-started", sessionKey },
    { type: "opened", opened: { session, ...nothing, model: "m", seq: 0 } },
  ];
  const times: Record<"parse" | "reduce", number[]> = { parse: [], reduce: [] };
  for (let round = 0; round < 9; round++) {
    const started = performance.now();
    const actions = texts.map((text) => JSON.parse(text) as Action);
    const parsed = performance.now();
    let state = opening.reduce(reduce, initialState);
    for (const action of actions) state = reduce(state, action);
    times.parse.push(parsed - started);
    times.reduce.push(performance.now() - parsed);
  }
  const perEvent = (list: number[]) => (median(list) * 1_000) / texts.length;
  const baseline = perEvent(times.parse);
  printFigure({ name: "parse-event", value: baseline, unit: "us" });
  printFigure({ name: "reduce-event", value: perEvent(times.reduce), unit: "us", baseline });
  const share = (median(times.reduce) / (seconds * 1_000)) * 100;
  printFigure({ name: "reducer-at-1000-events-a-second", value: share, unit: "%-of-a-second" });
}
