// The examples of docs/openai-api.md are run as they stand, against a gateway of this process.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { ask, connect, talk } from "./examples/openai-client.ts";
import { createPng } from "./support/images.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

const page = readFileSync(packagePath("docs/openai-api.md"), "utf8");
const examples = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

const said = (request: ModelRequest) => JSON.stringify(request.messages.at(-1)?.content).slice(0, 60);
const repeat = (request: ModelRequest) => `I heard: ${said(request)}`;

async function run(code: string, { url }: TestGateway, folder: string): Promise<string> {
  const env = { PATH: process.env.PATH, NANOBOT_API_KEY: "any" };
  const script = code.replaceAll("http://127.0.0.1:18790", url);
  const { stdout } = await promisify(execFile)("sh", ["-ec", script], { cwd: folder, env });
  return stdout;
}

test("every command of the page does what it says", async () => {
  const gateway = await createTestGateway({ steps: [repeat], loop: true });
  const folder = await createTemporaryFolder();
  await writeFile(join(folder, "photo.png"), createPng(8, 8));
  const [plain, history, session, image, models, ...others] = await Promise.all(
    examples.map((code) => run(code, gateway, folder)),
  );
  expect(others).toEqual([]);
  expect(JSON.parse(plain ?? "")).toMatchObject({
    choices: [{ message: { content: expect.stringContaining("on my list for today") } }],
  });
  expect(JSON.parse(history ?? "")).toMatchObject({
    choices: [{ message: { content: expect.stringContaining("What is my cat called?") } }],
  });
  expect(session).toContain("plan to cook");
  expect(session).toMatch(/"usage":\{"prompt_tokens".*\n\ndata: \[DONE\]\n\n$/);
  expect(JSON.parse(image ?? "")).toMatchObject({ object: "chat.completion" });
  const shown = gateway.provider.requests.filter(({ messages }) =>
    JSON.stringify(messages).includes("data:image/png;base64,"),
  );
  expect(shown).toHaveLength(1);
  expect(JSON.parse(models ?? "")).toMatchObject({ data: [{ id: "nanobot" }] });
});

test("the client of the page asks, and talks in a session", async () => {
  const gateway = await createTestGateway(["At nine.", "Noted.", "At ten."]);
  const client = connect(`${gateway.url}/v1`);
  expect(await ask(client, "When do we meet?")).toBe("At nine.");
  expect(String(gateway.provider.requests[0]?.messages[0]?.content)).toContain("Answer in one sentence.");
  let told = "";
  for (const text of ["We meet at ten.", "When do we meet?"])
    await talk(client, text, (piece) => {
      told += piece;
    });
  expect(told).toBe("Noted.At ten.");
  expect(JSON.stringify(gateway.provider.requests[2]?.messages)).toContain("We meet at ten.");
});
