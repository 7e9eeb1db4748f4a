// Conversations in a real browser: titles, folders, versions of an answer, quoting, reading aloud, sharing.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chinese, english } from "../../web/src/words/chat.ts";
import { english as shell, chinese as shellInChinese } from "../../web/src/words/shell.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";
import { picture } from "../support/picture.ts";

useBrowser();

const spoken = `(() => {
  globalThis.spoken = [];
  speechSynthesis.speak = (utterance) => globalThis.spoken.push([utterance.lang, utterance.text]);
})()`;

describe.runIf(hasBrowser).each([
  { language: "en", locale: "en-US", words: english, common: shell, title: "Spring in Lisbon" },
  { language: "zh-CN", locale: "zh-CN", words: chinese, common: shellInChinese, title: "里斯本的春天" },
])("a conversation in $language", ({ language, locale, words, common, title }) => {
  const isChinese = language === "zh-CN";
  const asked = isChinese ? "春天去哪里好？" : "where should we go in spring?";
  const answers = isChinese
    ? ["去里斯本。", "去京都。", "去博洛尼亚。"]
    : ["To Lisbon.", "To Kyoto.", "To Bologna."];

  async function open(viewport: { width: number; height: number }) {
    let answered = 0;
    const gateway = await startGatewayProgram({
      answer: ({ messages, tools }) => {
        if (tools === undefined && JSON.stringify(messages).includes("title")) return { text: `“${title}”` };
        const text = answers[answered % answers.length] ?? "";
        answered += 1;
        return { text };
      },
      config: { agents: { defaults: { provider: "custom", model: "test-model" } } },
    });
    const opened = await openBrowserPage(gateway, { locale, viewport });
    await opened.page.addInitScript(spoken);
    return { gateway, ...opened };
  }
  const composer = (page: Page) => page.getByRole("textbox", { name: words.message, exact: true });
  const said = async (page: Page) =>
    (await page.getByRole("log").locator("article p").allInnerTexts()).join("|");

  it("is named by the model, goes into a folder, and is shared as a page that runs nothing", async () => {
    const { page, complaints } = await open({ width: 1280, height: 800 });
    await composer(page).fill(asked);
    await composer(page).press("Enter");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const options = page.getByRole("button", { name: words.options(title) }).last();
    await options.click();
    await page.getByRole("menuitem", { name: words.folder.move }).click();
    await page.getByRole("textbox", { name: words.folder.name }).fill("Trips");
    await page.getByRole("button", { name: common.save }).click();
    await page.locator("summary", { hasText: "Trips" }).waitFor();
    await picture(page, `folder-${language}`);
    expect(await findBarriers(page)).toEqual([]);
    await options.click();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: words.exportPage }).click();
    const download = await saving;
    // A browser in the locale of this test cannot name a file in Chinese.
    if (!isChinese) expect(download.suggestedFilename()).toMatch(/^Spring-in-Lisbon-.*\.html$/);
    const text = await readFile(await download.path(), "utf8");
    const shared = await page.context().newPage();
    await shared.setContent(text);
    await shared.getByText(answers[0] ?? "").waitFor();
    expect(await findBarriers(shared)).toEqual([]);
    await picture(shared, `shared-${language}`);
    expect(complaints).toEqual([]);
  });

  it.each([{ width: 1280 }, { width: 390 }])(
    "switches between versions at $width pixels; quotes and reads aloud",
    async ({ width }) => {
      const { page, complaints } = await open({ width, height: 800 });
      await page.reload();
      await composer(page).fill(asked);
      await composer(page).press("Enter");
      await page.getByText(answers[0] ?? "").waitFor();
      await page.getByRole("button", { name: words.retry }).click();
      await page.getByText(answers[1] ?? "").waitFor();
      const group = page.getByRole("group", { name: words.versions.group });
      await group.getByText("2/2").waitFor();
      await group.getByRole("button", { name: words.versions.previous }).click();
      await group.getByText("1/2").waitFor();
      await expect.poll(() => said(page)).toBe(answers[0]);
      await group.getByRole("button", { name: words.versions.next }).click();
      await expect.poll(() => said(page)).toBe(answers[1]);
      // Edited, it is a third version, and the others are still there.
      await page.getByRole("button", { name: words.edit }).click();
      await composer(page).fill(`${asked} ${asked}`);
      await composer(page).press("Enter");
      await page.getByText(answers[2] ?? "").waitFor();
      await group.getByText("3/3").waitFor();
      await group.getByRole("button", { name: words.versions.previous }).click();
      await expect.poll(() => said(page)).toBe(answers[1]);
      await group.getByText("2/3").waitFor();
      await picture(page, `versions-${language}-${width}`);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole("button", { name: words.readAloud }).click();
      expect(await page.evaluate("globalThis.spoken")).toEqual([[isChinese ? "zh-CN" : "en", answers[1]]]);
      await page.getByRole("button", { name: words.stopReading }).click();
      await page.getByRole("button", { name: words.quote }).click();
      await expect.poll(() => composer(page).inputValue()).toBe(`> ${answers[1]}\n\n`);
      const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect(isWider).toBe(false);
      expect(complaints).toEqual([]);
    },
  );
});
