// web_fetch in the real program: pages are laid out in a thread, whose file the bundle has to bring.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPdf } from "./support/create-pdf.ts";
import { createProgramHome, nanobot } from "./support/run-program.ts";
import { runProgram } from "./support/start-program.ts";
import { startWebSite } from "./support/web-site.ts";

test("a page and a PDF become text, and nothing of the libraries is printed", async () => {
  const site = await startWebSite({
    "/page": "<p>Hello <b>web</b></p>",
    "/paper": { body: createPdf("A paper") },
  });
  const { home, env } = await createProgramHome();
  const [config, script] = [join(home, "config.json"), join(home, "script.json")];
  const toolCalls = ["/page", "/paper"].map((path) => ({
    name: "web_fetch",
    arguments: { url: site.url + path },
  }));
  await writeFile(script, JSON.stringify({ steps: [{ toolCalls }, "Read."] }));
  const settings = {
    agents: { defaults: { provider: "scripted", model: "scripted" } },
    providers: { scripted: { script } },
    tools: { ssrfWhitelist: ["127.0.0.1"] },
  };
  await writeFile(config, JSON.stringify(settings));
  const question = `Read ${site.url}/page and ${site.url}/paper`;
  const outcome = await runProgram(nanobot("agent", "-m", question, "--json"), { env });
  await site.close();
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    text: "Read.",
    tools: [
      { name: "web_fetch", ok: true },
      { name: "web_fetch", ok: true },
    ],
  });
});
