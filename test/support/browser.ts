// Debian's chromium, one for all tests of a file, and pages that come in by a link as a person does.
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import type { Client } from "../../src/api/client.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { hasSystemPart } from "./system-part.ts";

const program = "chromium";

export const hasBrowser = hasSystemPart([program, "--version"], "chromium");

export interface BrowserPage {
  page: Page;
  /** What the page itself complained about; a test may expect it to be empty. */
  complaints: string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** Of the page that is opened, such as `memory`; default the one that a newcomer sees. */
  route?: string;
  person?: string;
  role?: "owner" | "guest";
}

interface Served {
  url: string;
  client: Client;
}

let browser: Promise<Browser> | undefined;

/** For a test file that uses pages. */
export function useBrowser(): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
}

/** A page of a browser that was never here before; closed with the test. */
export async function openBrowserPage(
  { url, client }: Served,
  { route, person, role, ...options }: PageOptions = {},
): Promise<BrowserPage> {
  const context = await (await launch()).newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  // Only a hang can reach it; without it a test would end without saying what it waited for.
  context.setDefaultTimeout(20_000);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await tell(page);
    await context.close();
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const who = { ...(person !== undefined && { person }), ...(role !== undefined && { role }) };
  const { urls } = await client.call("web.link", who);
  const [link = ""] = urls;
  // The page is shown at once; the browser is known from this answer on.
  const traded = page.waitForResponse(`${url}/api/enter`);
  await page.goto(`${url}/${new URL(link).hash}`);
  await traded;
  if (route !== undefined) {
    await page.getByRole("navigation").first().waitFor();
    await page.goto(`${url}/#/${route}`);
  }
  return { page, complaints };
}

/** What a person would have seen when the test failed. */
async function tell(page: Page): Promise<void> {
  process.stderr.write(`${page.url()}\n${await page.locator("body").ariaSnapshot()}\n`);
}

/** Serious and critical findings of axe, one line each. What is still fading in has no contrast yet. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated, not added: the page's own policy lets nobody add a script.
  await page.evaluate(await readFile(packagePath("node_modules/axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      impact: string;
      nodes: Array<{ target: string[]; failureSummary: string }>;
    }
    interface Animation {
      effect: { getComputedTiming(): { endTime: number } };
      finished: Promise<unknown>;
    }
    const { axe, document } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> };
      document: { getAnimations(): Animation[] };
    };
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
    await Promise.allSettled(passing.map(({ finished }) => finished));
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
      );
  });
}

function launch(): Promise<Browser> {
  // As root in a container there is no sandbox for it; it only ever sees pages of ours.
  browser ??= chromium.launch({ executablePath: `/usr/bin/${program}`, args: ["--no-sandbox"] });
  return browser;
}
