// In a real browser: another model from the host's list, and a failure that says what to do.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { english as words } from "../../web/src/words/chat.ts";
import { english as shell } from "../../web/src/words/shell.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";

useBrowser();

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: words.message, exact: true });
  await composer.fill(text);
  await composer.press("Enter");
}

const models = [{ id: "test-model" }, { id: "atlas-mini", context_length: 200_000 }, { id: "atlas-large" }];

async function choose(page: Page, model: string): Promise<void> {
  // The field has the focus: it is typed into, not clicked.
  await page.getByRole("textbox", { name: words.searchModels }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type(model);
  await page.getByRole("list", { name: words.searchModels }).getByRole("button", { name: model }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describe.runIf(hasBrowser)("the model of a conversation", () => {
  it("is chosen from the host's list, also before the first message, and for that conversation only", async () => {
    const gateway = await startGatewayProgram({
      models,
      answer: ({ model }) => ({ text: `I am ${model}.` }),
    });
    const { page, complaints } = await openBrowserPage(gateway);
    await page.getByRole("button", { name: new RegExp(`^${words.model}:`) }).click();
    await page.getByText("200K", { exact: false }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await choose(page, "atlas-mini");
    await page.getByRole("button", { name: `${words.model}: atlas-mini` }).waitFor();
    await say(page, "who are you?");
    await page.getByText("I am atlas-mini.").waitFor();
    await page.getByRole("button", { name: `${words.model}: atlas-mini` }).click();
    await choose(page, "atlas-large");
    await say(page, "and now?");
    await page.getByText("I am atlas-large.").waitFor();
    await page.getByRole("link", { name: words.newChat }).click();
    await say(page, "and here?");
    await page.getByText("I am test-model.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("a failure is a red card that tries again, also after a reload and with another model", async () => {
    const gateway = await startGatewayProgram({
      models,
      answer: ({ model }) =>
        model === "test-model"
          ? { error: { status: 401, message: "no such key" } }
          : { text: "All is well." },
    });
    const { page } = await openBrowserPage(gateway);
    await say(page, "are you there?");
    const card = page.getByRole("alert", { name: words.failure });
    await card.getByRole("button", { name: shell.retry }).click();
    await gateway.model.waitForRequests(2);
    await card.waitFor();
    await page.reload();
    await card.getByRole("button", { name: words.changeModel }).click();
    await choose(page, "atlas-mini");
    await card.getByRole("button", { name: shell.retry }).click();
    await page.getByText("All is well.").waitFor();
    await card.waitFor({ state: "detached" });
    expect(await page.getByRole("article", { name: words.you }).count()).toBe(1);
  });
});
