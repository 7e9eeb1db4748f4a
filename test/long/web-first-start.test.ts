// The first start in a real browser, against the real gateway as a process. The other pages: test/long/web-pages.test.ts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWords } from "../../src/i18n/words.ts";
import { english as chat } from "../../web/src/words/chat.ts";
import { english as settings } from "../../web/src/words/settings.ts";
import { chinese, english as start } from "../../web/src/words/start.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";

useBrowser();

const models = [{ id: "small-model" }, { id: "test-model", max_model_len: 200_000 }];

it("offers what the demo understands, in both languages", () => {
  expect(start.demoExamples).toEqual(createWords("english").demo.examples);
  expect(chinese.demoExamples).toEqual(createWords("chinese").demo.examples);
});

describe.runIf(hasBrowser)("the first start", () => {
  it("takes a host and a key only when one question was answered, and then the conversation begins", async () => {
    const gateway = await startGatewayProgram({
      answer: ({ authorization }) =>
        authorization === "Bearer right-key"
          ? { text: "Nice to meet you." }
          : { error: { status: 401, message: "invalid api key" } },
      models,
      config: { agents: {}, providers: {} },
    });
    const { page, complaints } = await openBrowserPage(gateway);
    await page.getByRole("heading", { name: start.title }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: start.hosted }).click();
    await page.getByRole("searchbox").fill("another");
    await page.getByRole("radio", { name: settings.model.ownHost }).click();
    await page.getByLabel(settings.model.address).fill(gateway.model.url);
    await page.getByLabel(settings.model.key, { exact: true }).fill("wrong-key");
    await page.getByRole("button", { name: start.showModels }).click();
    await page.getByRole("button", { name: `test-model ${start.window("200K")}` }).click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: start.start }).click();
    await page.getByText("invalid api key").waitFor();
    expect(await readFile(join(gateway.home, "config.json"), "utf8")).not.toContain("wrong-key");
    await page.getByLabel(settings.model.key, { exact: true }).fill("right-key");
    await page.getByRole("button", { name: start.start }).click();
    const composer = page.getByRole("textbox", { name: chat.message, exact: true });
    await composer.fill("hello");
    await composer.press("Enter");
    await page.getByText("Nice to meet you.").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("is a demo without a model: it remembers, answers, and offers examples and the way to a model", async () => {
    const gateway = await startGatewayProgram({
      answer: () => ({ text: "never asked" }),
      config: { agents: {}, providers: {} },
    });
    const { page, complaints } = await openBrowserPage(gateway);
    await page.getByRole("button", { name: start.demo }).click();
    const [tell = "", ask = ""] = start.demoExamples;
    await page.getByRole("button", { name: tell }).click();
    await page.getByText("Your sister is called Ana.").waitFor();
    await page.getByRole("button", { name: ask, exact: true }).click();
    await page.getByText("Your sister is called Ana.", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: start.connect }).click();
    await page.getByRole("radiogroup").waitFor();
    expect(complaints).toEqual([]);
  });
});
