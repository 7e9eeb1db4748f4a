// The pages around the chat, as a person uses them on a phone, in both languages: signing in, the first
// settings, memory, planning something, skills, channels and the log.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/api/client.ts";
import * as channelTexts from "../../web/src/words/channels.ts";
import { catalogues } from "../../web/src/words/index.ts";
import * as logTexts from "../../web/src/words/logs.ts";
import * as memoryTexts from "../../web/src/words/memory.ts";
import * as scheduleTexts from "../../web/src/words/schedule.ts";
import * as settingsTexts from "../../web/src/words/settings.ts";
import * as signInTexts from "../../web/src/words/sign-in.ts";
import * as skillTexts from "../../web/src/words/skills.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { words as terminalWords } from "../support/english.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";
import { createProgramHome, nanobot, openInTerminal } from "../support/run-program.ts";

useBrowser();

const english = {
  channels: channelTexts.english,
  logs: logTexts.english,
  memory: memoryTexts.english,
  schedule: scheduleTexts.english,
  settings: settingsTexts.english,
  signIn: signInTexts.english,
  skills: skillTexts.english,
};
const chinese: typeof english = {
  channels: channelTexts.chinese,
  logs: logTexts.chinese,
  memory: memoryTexts.chinese,
  schedule: scheduleTexts.chinese,
  settings: settingsTexts.chinese,
  signIn: signInTexts.chinese,
  skills: skillTexts.chinese,
};
const languages = [
  { locale: "en-US", words: { ...catalogues.en, ...english } },
  { locale: "zh-CN", words: { ...catalogues["zh-CN"], ...chinese } },
];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const links = /http:\S+#token=[\w-]+/g;

/** Nothing is in the way of a person, or wider than a phone. */
async function expectWell(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(
    0,
  );
}

describe.runIf(hasBrowser).each(languages)("in $locale", ({ locale, words }) => {
  const { signIn } = words;
  const { phone: code, essentials } = words.settings;

  it("a used link says so, and a button prints a new one in the terminal of the gateway", async () => {
    const { home, env } = await createProgramHome();
    const terminal = openInTerminal(nanobot("gateway", "--port", "0"), { env });
    await terminal.waitFor(terminalWords.gateway.stopHint);
    const address = JSON.parse(await readFile(join(home, "run", "gateway.json"), "utf8"));
    const client = createHttpClient(address);
    const [used = ""] = (await client.call("web.link", {})).urls;
    const token = new URL(used).hash.slice("#token=".length);
    await fetch(`${address.url}/api/enter`, { method: "POST", body: JSON.stringify({ token }) });
    const { page } = await openBrowserPage({ url: address.url, client }, { locale, ...phone });
    await page.context().clearCookies();
    await page.goto("about:blank");
    await page.goto(used);
    await page.getByText(signIn.spent).waitFor();
    await expectWell(page);
    await page.getByRole("button", { name: signIn.show }).click();
    await page.getByText(signIn.shown).waitFor();
    const shown = terminal.text().match(links) ?? [];
    expect(shown).toHaveLength(2);
    await page.goto(shown[1] ?? "");
    await page.getByRole("heading", { name: words.start.title }).waitFor();
  });

  it("settings begin with what people look for; the rest is a click or a search away", async () => {
    const config = { gateway: { publicUrl: "https://bot.example.com" } };
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }), config });
    const { page, complaints } = await openBrowserPage(gateway, { route: "settings", locale, ...phone });
    const kept = async () => JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
    await page.getByLabel(essentials.name, { exact: true }).fill("Mimi");
    await page.getByLabel(essentials.zone).selectOption("Europe/Lisbon");
    await page.getByLabel(essentials.spending).fill("20");
    await page.getByRole("switch", { name: essentials.memory }).click();
    await expectWell(page);
    await page.getByRole("button", { name: words.shell.save, exact: true }).click();
    await expect.poll(kept).toMatchObject({
      agents: { defaults: { botName: "Mimi", timezone: "Europe/Lisbon", dream: { enabled: false } } },
      budget: { month: { money: 20 } },
    });
    await page.getByRole("button", { name: code.show }).click();
    await page.getByRole("img", { name: code.code }).waitFor();
    await expectWell(page);
    await page.getByRole("dialog").getByRole("button", { name: words.shell.close }).click();
    await page.getByRole("link", { name: essentials.all }).click();
    await page.getByRole("combobox", { name: words.settings.section }).waitFor();
    await expectWell(page);
    await page.getByRole("searchbox", { name: words.settings.search }).fill("publicUrl");
    await page.locator('input[value="https://bot.example.com"]').waitFor();
    expect(complaints).toEqual([]);
  });

  it("a task is planned by one sentence, which is shown as understood first", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }) });
    const { page, complaints } = await openBrowserPage(gateway, { route: "schedule", locale, ...phone });
    const { quick } = words.schedule;
    const field = page.getByRole("textbox", { name: quick.label });
    const add = page.getByRole("button", { name: quick.add, exact: true });
    await field.fill(quick.unclear);
    await page.getByText(quick.unclear).waitFor();
    expect(await add.isDisabled()).toBe(true);
    await field.fill(quick.example);
    await expect.poll(() => add.isEnabled()).toBe(true);
    await expectWell(page);
    await add.click();
    await expect.poll(() => field.inputValue()).toBe("");
    const { jobs } = await gateway.client.call("jobs.list", {});
    expect(jobs).toContainEqual(
      expect.objectContaining({
        channel: "web",
        schedule: expect.objectContaining({ kind: "cron", expr: "0 9 * * 1-5" }),
      }),
    );
    expect(complaints).toEqual([]);
  });

  it("a fact of memory is deleted by its button, and comes back by undo", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }) });
    const path = "memory/MEMORY.md";
    const read = () => gateway.client.call("memory.read", { path });
    const before = "# Memory\n\n## People\n- Jonas is allergic to nuts.\n- Ana likes tea.\n";
    await gateway.client.call("memory.save", { path, text: before, hash: (await read()).hash });
    const { page, complaints } = await openBrowserPage(gateway, { route: "memory", locale, ...phone });
    const { memory } = words;
    await page.getByRole("heading", { name: memory.names["USER.md"] ?? "" }).waitFor();
    await page.getByRole("link", { name: memory.names[path] ?? "" }).click();
    const fact = page.getByRole("button", { name: "Jonas is allergic to nuts.", exact: true });
    await fact.click();
    await page.getByText(memory.why.unknown).or(page.getByText(memory.why.nothing)).first().waitFor();
    await expectWell(page);
    await page.getByRole("button", { name: memory.removeFact("Jonas is allergic to nuts.") }).click();
    await expect
      .poll(async () => (await read()).text)
      .toBe(before.replace("- Jonas is allergic to nuts.\n", ""));
    await page.getByRole("button", { name: words.shell.undo }).click();
    await expect.poll(async () => (await read()).text).toBe(before);
    await fact.waitFor();
    expect(complaints).toEqual([]);
  });

  it("skills, channels and the log speak in names and sentences", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }) });
    const { page, complaints } = await openBrowserPage(gateway, { route: "skills", locale, ...phone });
    const { skills, channels, logs } = words;
    await page.getByRole("button", { name: skills.names.weather ?? "", exact: true }).click();
    await page.getByRole("dialog").getByText(skills.mayAbout).waitFor();
    await expectWell(page);
    await page.getByRole("dialog").getByRole("button", { name: words.shell.close }).click();
    await page.getByRole("button", { name: skills.moreButton }).click();
    const composer = page.getByRole("textbox", { name: words.chat.message, exact: true });
    await expect.poll(() => composer.inputValue()).toContain(skills.moreAsk.trim());
    await page.goto(`${gateway.url}/#/channels`);
    await page.getByText(channels.sentences.telegram ?? "").waitFor();
    await page.getByText(channels.takes("5")).first().waitFor();
    await expectWell(page);
    await page.goto(`${gateway.url}/#/logs`);
    await gateway.client.call("config.patch", {
      changes: [{ path: ["agents", "defaults", "temperature"], value: 0.3 }],
    });
    await page
      .getByText(logs.events["config-taken"] ?? "")
      .first()
      .waitFor();
    await expectWell(page);
    expect(complaints).toEqual([]);
  });

  it("a phone that cannot reach the gateway is told so instead of a code", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }) });
    const { page } = await openBrowserPage(gateway, { route: "settings", locale, ...phone });
    await page.getByRole("button", { name: code.show }).click();
    await page.getByText(code.unreachable).waitFor();
    await page.getByRole("link", { name: code.settings }).click();
    await page.getByRole("link", { name: essentials.back }).waitFor();
  });
});
