// What an answer shows in a real browser: footnotes, pictures, what is being done, and a failure once.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chinese, english } from "../../web/src/words/chat.ts";
import { english as files, chinese as filesInChinese } from "../../web/src/words/files.ts";
import { english as goal, chinese as goalInChinese } from "../../web/src/words/goal.ts";
import { english as shell, chinese as shellInChinese } from "../../web/src/words/shell.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";
import { createPng } from "../support/images.ts";
import { picture } from "../support/picture.ts";

useBrowser();

describe.runIf(hasBrowser).each([
  { locale: "en-US", width: 1280, words: english, common: shell, ofFiles: files, goals: goal },
  {
    locale: "zh-CN",
    width: 390,
    words: chinese,
    common: shellInChinese,
    ofFiles: filesInChinese,
    goals: goalInChinese,
  },
])("an answer in $locale at $width pixels", ({ locale, width, words, common, ofFiles, goals }) => {
  const composer = (page: Page) => page.getByRole("textbox", { name: words.message, exact: true });

  it("has footnotes that lead to their notes, and pictures that open, grow and go on by keys", async () => {
    const gateway = await startGatewayProgram({
      answer: () => ({ text: `Tea[^1] is old.\n\n${"A line.\n\n".repeat(2)}[^1]: From China.` }),
    });
    const { page, complaints } = await openBrowserPage(gateway, { locale, viewport: { width, height: 800 } });
    const picked = ["one.png", "two.png"].map((name) => ({
      name,
      mimeType: "image/png",
      buffer: createPng(640, 480),
    }));
    await page.locator('input[type="file"]').first().setInputFiles(picked);
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    await composer(page).fill("look");
    await composer(page).press("Enter");
    const note = page.locator('[data-footnote="1"]');
    await note.waitFor();
    await page.getByRole("button", { name: common.footnote("1") }).click();
    await expect
      .poll(() =>
        note.evaluate((shown) => (shown as unknown as { checkVisibility(): boolean }).checkVisibility()),
      )
      .toBe(true);
    await page.getByRole("img", { name: "one.png" }).click();
    const dialog = page.getByRole("dialog", { name: "one.png" });
    await dialog.waitFor();
    const widthOf = (name: string) =>
      page
        .getByRole("dialog")
        .getByRole("img", { name })
        .evaluate(
          (shown) =>
            (shown as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect()
              .width,
        );
    const before = await widthOf("one.png");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await expect.poll(() => widthOf("one.png")).toBeGreaterThan(before);
    expect(await findBarriers(page)).toEqual([]);
    await picture(page, `viewer-${width}`);
    await dialog.getByRole("button", { name: ofFiles.zoomOut }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "two.png" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await picture(page, `footnotes-${width}`);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("of a goal is shown with its plan, which is paused and goes on; the note for the model is not shown", async () => {
    const held = Promise.withResolvers<void>();
    const steps = ["[x] read", "[>] sort", "[ ] report"];
    const gateway = await startGatewayProgram({
      answer: (_request, index) =>
        index === 0
          ? { toolCalls: [{ name: "goal", arguments: { steps } }] }
          : { text: "Sorting.", waitFor: held.promise },
    });
    const { page, complaints } = await openBrowserPage(gateway, { locale, viewport: { width, height: 800 } });
    await composer(page).fill("/goal Tidy the notes");
    await composer(page).press("Enter");
    const strip = page.locator("details").filter({ hasText: goals.progress(1, 3) });
    await strip.locator("summary").click();
    await strip.getByText("report").waitFor();
    await page.getByText("Sorting.").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("[Goal:");
    expect(await findBarriers(page)).toEqual([]);
    await strip.getByRole("button", { name: goals.pause }).click();
    await strip.getByText(goals.states.paused).waitFor();
    await strip.getByRole("button", { name: goals.resume }).click();
    await strip.getByText(goals.states.active).waitFor();
    held.resolve();
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("says what is being done, and a failure once, also when the page is opened again", async () => {
    const gateway = await startGatewayProgram({
      answer: (_request, index) =>
        index === 0
          ? { toolCalls: [{ name: "exec", arguments: { command: "sleep 4" } }] }
          : { error: { status: 401, message: "bad key" } },
    });
    const { page } = await openBrowserPage(gateway, { locale, viewport: { width, height: 800 } });
    await composer(page).fill("wait a little");
    await composer(page).press("Enter");
    const doing = words.doing.exec?.("sleep 4") ?? "";
    await page.getByRole("status").filter({ hasText: doing }).waitFor();
    await picture(page, `doing-${width}`);
    const card = page.getByRole("alert", { name: words.failure });
    await card.waitFor();
    await page.reload();
    await card.waitFor();
    expect(await card.count()).toBe(1);
    await card.getByRole("button", { name: common.retry }).waitFor();
    await card.getByRole("button", { name: words.changeModel }).waitFor();
    expect(await page.getByRole("log").innerText()).not.toContain("[No reply");
    expect(await findBarriers(page)).toEqual([]);
    await picture(page, `failure-${width}`);
  });
});
