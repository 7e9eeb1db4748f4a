// What happens elsewhere reaches a person in a real browser: reminders, answers and questions of other conversations.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chinese as chineseWords, english as words } from "../../web/src/words/chat.ts";
import { english as shell } from "../../web/src/words/shell.ts";
import {
  findBarriers,
  hasBrowser,
  openBrowserPage,
  type PageOptions,
  useBrowser,
} from "../support/browser.ts";
import { type GatewayProgram, startGatewayProgram } from "../support/gateway-program.ts";

useBrowser();

async function say(page: Page, text: string, field = words.message): Promise<void> {
  const composer = page.getByRole("textbox", { name: field, exact: true });
  await composer.fill(text);
  await composer.press("Enter");
}

const at = "2099-01-01T09:00";

/** A conversation in which a reminder was planned, and another one that is looked at. */
async function planReminder(gateway: GatewayProgram, options: PageOptions = {}, texts = words) {
  const { page, complaints } = await openBrowserPage(gateway, options);
  await say(page, "remind me to stretch", texts.message);
  await page.getByText("I will.").waitFor();
  const { jobs } = await gateway.client.call("jobs.list", {});
  const job = jobs.find(({ kind }) => kind === "turn");
  return { page, complaints, job };
}

function startReminding(): Promise<GatewayProgram> {
  return startGatewayProgram({
    answer: ({ messages }) => {
      const last = JSON.stringify(messages.at(-1));
      if (last.includes("It is due now")) return { text: "Time to **stretch** a little." };
      if (last.includes("remind me"))
        return {
          toolCalls: [
            {
              name: "cron",
              arguments: { action: "add", name: "Stretch", message: "Remind the user: stretch", at },
            },
          ],
        };
      return { text: messages.at(-1)?.role === "tool" ? "I will." : "Hello yourself." };
    },
  });
}

describe.runIf(hasBrowser)("what happens elsewhere", () => {
  it.each([
    { name: "wide, English", texts: words, options: {} },
    {
      name: "phone, Chinese",
      texts: chineseWords,
      options: { locale: "zh-CN", viewport: { width: 390, height: 844 } },
    },
  ])("a reminder reaches a person in another chat: $name", async ({ texts, options }) => {
    const gateway = await startReminding();
    const { page, complaints, job } = await planReminder(gateway, options, texts);
    const route = page.url();
    await page.goto(`${gateway.url}/#/chat`);
    await say(page, "hello", texts.message);
    await page.getByText("Hello yourself.").waitFor();
    await gateway.client.call("jobs.run", { id: job?.id ?? "" });
    const toast = page.getByRole("status").filter({ hasText: texts.news.reminder });
    await toast.getByText("Time to", { exact: false }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await toast.getByRole("button", { name: texts.news.open }).click();
    await expect.poll(() => page.url()).toBe(route);
    const card = page.getByRole("region", { name: texts.reminder.once });
    await card.getByText("Stretch").waitFor();
    expect(await page.getByText("It is due now").count()).toBe(0);
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("a reminder is snoozed and then done, also after a reload", async () => {
    const gateway = await startReminding();
    const { page, job } = await planReminder(gateway);
    await gateway.client.call("jobs.run", { id: job?.id ?? "" });
    const card = page.getByRole("region", { name: words.reminder.once });
    await card.getByRole("button", { name: words.reminder.snooze }).click();
    await page.getByRole("menuitem", { name: words.reminder.hour }).click();
    await card.getByText(words.reminder.snoozed("").trim(), { exact: false }).waitFor();
    const { jobs } = await gateway.client.call("jobs.list", {});
    const snoozed = jobs.filter(({ name, id }) => name === "Stretch" && id !== job?.id);
    expect(snoozed).toMatchObject([{ sessionKey: job?.sessionKey, schedule: { kind: "at" } }]);
    await gateway.client.call("jobs.run", { id: snoozed[0]?.id ?? "" });
    await page.getByRole("button", { name: words.reminder.done, exact: true }).click();
    await page.reload();
    await page.getByText(words.reminder.done, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: words.reminder.done, exact: true }).count()).toBe(0);
  });

  it("an answer in another chat leaves a mark until it is read, in every browser", async () => {
    const gate = Promise.withResolvers<void>();
    const gateway = await startGatewayProgram({
      answer: ({ messages }) =>
        JSON.stringify(messages.at(-1)).includes("slow")
          ? { text: ["The slow ", "answer."], waitFor: gate.promise }
          : { text: "Quick." },
    });
    const { page, complaints } = await openBrowserPage(gateway);
    await say(page, "slow please");
    await page.getByText("The slow").waitFor();
    await page.getByRole("link", { name: words.newChat }).click();
    await say(page, "and a quick one");
    await page.getByText("Quick.").waitFor();
    gate.resolve();
    const row = page.getByRole("link", { name: /slow please/ });
    await row.getByRole("img", { name: words.unread }).waitFor();
    await page
      .getByRole("navigation", { name: shell.navigation })
      .getByRole("img", { name: shell.waiting(1) })
      .first()
      .waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("link", { name: /slow please/ }).click();
    await other.getByText("The slow answer.").waitFor();
    await row.getByRole("img", { name: words.unread }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("a page in the background shows a notification of the browser, where that was asked for", async () => {
    const gateway = await startReminding();
    const { page, job } = await planReminder(gateway, { permissions: ["notifications"] });
    await page.getByRole("button", { name: shell.menu }).click();
    await page.getByRole("tab", { name: shell.notificationsOn }).click();
    await page.keyboard.press("Escape");
    await page.evaluate("navigator.serviceWorker.ready");
    await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
    await gateway.client.call("jobs.run", { id: job?.id ?? "" });
    const shown = () =>
      page.evaluate(
        "navigator.serviceWorker.getRegistration().then((worker) => worker.getNotifications()).then((all) => all.map(({ title, body }) => title + ': ' + body))",
      );
    await expect.poll(shown).toEqual([expect.stringContaining("stretch")]);
  });
});
