// The first start in a real browser, against the real gateway as a process. The other pages: test/long/web-pages.test.ts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { english as chat } from "../web/src/words/chat.ts";
import { english as settings } from "../web/src/words/settings.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "./support/browser.ts";
import { startGatewayProgram } from "./support/gateway-program.ts";

useBrowser();

describe.runIf(hasBrowser)("the first start", () => {
  it("takes a host and a key only when one question was answered, and then the conversation begins", async () => {
    const gateway = await startGatewayProgram({
      answer: ({ authorization }) =>
        authorization === "Bearer right"
          ? { text: "Nice to meet you." }
          : { error: { status: 401, message: "invalid api key" } },
      config: { agents: {}, providers: {} },
    });
    const { page, complaints } = await openBrowserPage(gateway);
    await page.getByRole("heading", { name: settings.welcome.title }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel(settings.model.host).selectOption({ label: settings.model.ownHost });
    await page.getByLabel(settings.model.address).fill(gateway.model.url);
    await page.getByLabel(settings.model.key, { exact: true }).fill("wrong");
    await page.getByLabel(settings.model.model, { exact: true }).fill("test-model");
    await page.getByRole("button", { name: settings.model.use }).click();
    await page.getByText("did not accept the API key").waitFor();
    expect(await readFile(join(gateway.home, "config.json"), "utf8")).not.toContain("wrong");
    await page.getByLabel(settings.model.key, { exact: true }).fill("right");
    await page.getByRole("button", { name: settings.model.use }).click();
    const composer = page.getByRole("textbox", { name: chat.message, exact: true });
    await composer.fill("hello");
    await composer.press("Enter");
    await page.getByText("Nice to meet you.").first().waitFor();
    expect(complaints).toEqual([]);
  });
});
