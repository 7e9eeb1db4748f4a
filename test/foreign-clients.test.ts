// Clients in other languages, each with the file of test/examples that shows its use, and requests as LibreChat and Open WebUI
// send them. The Python ones need an interpreter that has the packages and are skipped without it:
//   python3 -m venv /tmp/clients && /tmp/clients/bin/pip install openai litellm langchain-openai
//   CLIENTS_PYTHON=/tmp/clients/bin/python npm test -- test/foreign-clients.test.ts
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { packagePath } from "../src/lib/package-root.ts";
import type { CodeScript } from "../src/llm/scripted.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

const python = process.env.CLIENTS_PYTHON ?? "python3";
const has = (name: string) => spawnSync(python, ["-c", `import ${name}`]).status === 0;
const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

async function run(file: string, script: CodeScript): Promise<string[]> {
  const gateway = await createTestGateway(script);
  const { stdout } = await promisify(execFile)(
    python,
    [packagePath(`test/examples/${file}`), `${gateway.url}/v1`],
    { env: { PATH: process.env.PATH, HOME: gateway.home, NO_PROXY: "127.0.0.1", NANOBOT_API_KEY: "any" } },
  );
  return stdout.trim().split("\n");
}

describe("clients in Python", () => {
  test.skipIf(!has("openai"))("OpenAI's own", async () => {
    const script = [
      "At nine.",
      "At ten.",
      "At eleven.",
      '{"day":"Monday"}',
      '{"day":"Tuesday"}',
      call("weather", { city: "Bonn" }),
      "It rains in Bonn.",
      "A code.",
    ];
    expect(await run("openai_client.py", script)).toEqual([
      "nanobot",
      "At nine.",
      "At ten.",
      "At eleven.",
      "Monday",
      "Tuesday",
      "It rains in Bonn.",
      "A code.",
    ]);
  });

  test.skipIf(!has("litellm"))("LiteLLM", async () => {
    const script = [
      "At nine.",
      "At ten.",
      '{"day":"Monday"}',
      call("weather", { city: "Bonn" }),
      "At eleven.",
    ];
    const lines = await run("litellm_client.py", script);
    expect(lines).toEqual(["At nine.", "At ten.", "Monday", '{"city":"Bonn"}', "At eleven."]);
  });

  test.skipIf(!has("langchain_openai"))("LangChain", async () => {
    const script = [
      "At nine.",
      "At ten.",
      '{"day":"Monday"}',
      '{"day":"Tuesday"}',
      call("Day", { day: "Wednesday" }),
      call("weather", { city: "Bonn" }),
      "At eleven.",
      "At twelve.",
    ];
    const lines = await run("langchain_client.py", script);
    expect(lines).toEqual([
      "At nine.",
      "At ten.",
      "Monday",
      "Tuesday",
      "Wednesday",
      "rain in Bonn",
      "At eleven.",
      "At twelve.",
    ]);
  });
});

describe("chat programs", () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(packagePath(`test/examples/${name}`), "utf8")) as Record<string, unknown>;

  test("LibreChat: one user, two conversations, each with its own history", async () => {
    const gateway = await createTestGateway(["Luna.", "I do not know."]);
    const body = await read("librechat-request.json");
    const first = await (await gateway.post("/v1/chat/completions", body)).text();
    expect(first).toContain("Luna.");
    expect(first).toMatch(/"usage":\{"prompt_tokens"[\s\S]*data: \[DONE\]/);
    const messages = [{ role: "user", content: "What is my dog called?" }];
    const second = await gateway.post("/v1/chat/completions", { ...body, messages });
    expect(await second.text()).toContain("I do not know.");
    const [told, asked] = gateway.provider.requests.map((request) => JSON.stringify(request.messages));
    expect(told).toContain("My cat is Luna.");
    expect(asked).not.toContain("Luna");
  });

  test("Open WebUI: fields of its own change nothing, and a picture is seen", async () => {
    const gateway = await createTestGateway(["A dot."]);
    const body = await read("open-webui-request.json");
    const response = await gateway.post("/v1/chat/completions", body);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("A dot.");
    expect(JSON.stringify(gateway.provider.requests[0]?.messages)).toContain("data:image/png;base64,");
  });
});
