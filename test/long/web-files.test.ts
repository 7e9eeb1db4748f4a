// Files in a real browser: what an answer made is opened, compared and put back next to it, and the files page keeps order.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { english as words } from "../../web/src/words/chat.ts";
import { english as files } from "../../web/src/words/files.ts";
import { english as shell } from "../../web/src/words/shell.ts";
import { findBarriers, hasBrowser, openBrowserPage, useBrowser } from "../support/browser.ts";
import { startGatewayProgram } from "../support/gateway-program.ts";
import { createPng } from "../support/images.ts";
import { startWebSite } from "../support/web-site.ts";

useBrowser();

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: words.message, exact: true });
  await composer.fill(text);
  await composer.press("Enter");
}

/** A model that writes these files and then says so. */
function startWriting(written: Record<string, string>) {
  return startGatewayProgram({
    answer: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: "Written." }
        : {
            toolCalls: Object.entries(written).map(([path, content]) => ({
              name: "write_file",
              arguments: { path, content },
            })),
          },
  });
}

describe.runIf(hasBrowser)("files of an answer", () => {
  it("are chips that open next to the chat, show what changed, and are put back", async () => {
    const gateway = await startWriting({
      "notes.md": "# Tea\n\nGreen, and **hot**.\n",
      "costs.csv": "what,euro\nrent,900\n",
    });
    const notes = join(gateway.home, "workspace", "notes.md");
    await writeFile(notes, "# Tea\n\nBlack.\n");
    const { page, complaints } = await openBrowserPage(gateway);
    await say(page, "write it down");
    await page.getByText("Written.").waitFor();
    const chips = page.getByRole("region", { name: files.ofTurn });
    await chips.getByRole("button", { name: /notes\.md/ }).click();
    const preview = page.getByRole("region", { name: files.frame("notes.md") });
    await preview.locator("strong").getByText("hot").waitFor();
    await preview.getByRole("tab", { name: files.diff }).click();
    await preview.getByText("-Black.").waitFor();
    await chips.getByRole("button", { name: /costs\.csv/ }).click();
    await page.getByRole("cell", { name: "900" }).waitFor();
    const saved = page.waitForEvent("download");
    await chips.getByRole("link", { name: files.download }).last().click();
    expect(await readFile(await (await saved).path(), "utf8")).toContain("rent,900");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: files.close }).click();
    await chips.getByRole("button", { name: files.undo }).click();
    await chips.getByText(files.isUndone).waitFor();
    expect(await readFile(notes, "utf8")).toBe("# Tea\n\nBlack.\n");
    expect(complaints).toEqual([]);
  });

  it("HTML is shown without network and without scripts, unless they are asked for, and leads nowhere", async () => {
    const site = await startWebSite();
    onTestFinished(() => site.close());
    const spies = `<img src="${site.url}/a"><script>document.body.append("a script ran"); fetch("${site.url}/b")</script>`;
    const gateway = await startWriting({
      "report.html": `<!doctype html><body><h1>Report</h1>${spies}</body>`,
      "leave.html": `<!doctype html><body><script>location = "${site.url}/c"; parent.location = "${site.url}/d"</script></body>`,
    });
    const { page } = await openBrowserPage(gateway);
    await say(page, "make a report");
    const chips = page.getByRole("region", { name: files.ofTurn });
    await chips.getByRole("button", { name: /report/ }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Report" }).waitFor();
    expect(await frame.getByText("a script ran").count()).toBe(0);
    await page.getByRole("button", { name: files.runScripts }).click();
    await frame.getByText("a script ran").waitFor();
    await chips.getByRole("button", { name: /leave/ }).click();
    await page.getByRole("button", { name: files.runScripts }).click();
    await expect
      .poll(() => page.frames().map((each) => each.url()))
      .toContainEqual(expect.stringMatching(/^chrome-error:/));
    expect(site.requests).toEqual([]);
    expect(new URL(page.url()).host).toBe(new URL(gateway.url).host);
  });
});

describe.runIf(hasBrowser)("the files page", () => {
  it("finds, adds, renames, deletes with undo, and begins a question about a file", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "A fine file." }) });
    const workspace = join(gateway.home, "workspace");
    await writeFile(join(workspace, "garden plan.md"), "# Garden\n");
    await writeFile(join(workspace, "garden.png"), createPng(64, 64));
    const { page, complaints } = await openBrowserPage(gateway, { route: "files" });
    const list = page.getByRole("list", { name: files.list });
    await list.getByRole("link", { name: /garden plan\.md/ }).click();
    await page.getByRole("heading", { name: "Garden", exact: true }).waitFor();
    await list.getByRole("link", { name: /garden\.png/ }).click();
    const picture = page.getByRole("img", { name: "garden.png" });
    await expect
      .poll(() => picture.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(64);
    await page.getByRole("button", { name: files.zoomIn }).click();
    expect(await findBarriers(page)).toEqual([]);
    const given = { name: "added.txt", mimeType: "text/plain", buffer: Buffer.from("new") };
    await page.locator('input[type="file"]').first().setInputFiles([given]);
    await list.getByRole("link", { name: /added\.txt/ }).waitFor();
    await list.getByRole("button", { name: files.options("added.txt") }).click();
    await page.getByRole("menuitem", { name: files.rename }).click();
    await page.getByRole("textbox", { name: files.name }).fill("renamed.txt");
    await page.getByRole("button", { name: shell.save }).click();
    await list.getByRole("button", { name: files.options("renamed.txt") }).click();
    await page.getByRole("menuitem", { name: files.remove }).click();
    await list.getByRole("link", { name: /renamed\.txt/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: shell.undo }).click();
    await list.getByRole("link", { name: /renamed\.txt/ }).waitFor();
    expect(await readFile(join(workspace, "renamed.txt"), "utf8")).toBe("new");
    await page.getByRole("searchbox", { name: files.search }).fill("plan");
    await list.getByRole("button", { name: files.options("garden plan.md") }).click();
    await page.getByRole("menuitem", { name: files.ask }).click();
    const composer = page.getByRole("textbox", { name: words.message, exact: true });
    await expect.poll(() => composer.inputValue()).toBe('@"garden plan.md" ');
    await composer.fill("look at @rena");
    await page.getByRole("option", { name: "@renamed.txt" }).click();
    await expect.poll(() => composer.inputValue()).toBe("look at @renamed.txt ");
    expect(complaints).toEqual([]);
  });

  it("a folder of many files is shown by the page", async () => {
    const gateway = await startGatewayProgram({ answer: () => ({ text: "Yes." }) });
    const workspace = join(gateway.home, "workspace");
    await Promise.all(
      Array.from({ length: 1_200 }, (_, count) =>
        writeFile(join(workspace, `n${String(count).padStart(4, "0")}.txt`), ""),
      ),
    );
    const { page } = await openBrowserPage(gateway, { route: "files" });
    const list = page.getByRole("list", { name: files.list });
    await list.getByRole("link", { name: /n0000\.txt/ }).waitFor();
    expect(await list.getByRole("listitem").count()).toBe(200);
    await page.getByRole("button", { name: files.more }).click();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(400);
  });
});
