// Ids of tool calls that say more than which call it is go back to the host that gave them: LiteLLM reads a thought signature
// from them, Kimi K2 its own form. Others are replaced, because hosts repeat them.
import { expect, test } from "vitest";
import { buildApp } from "../src/app/build-app.ts";
import { createWords } from "../src/i18n/words.ts";
import { createCustomHost, findHost } from "../src/llm/hosts/hosts.ts";
import { toOpenAIBody } from "../src/llm/openai/chat.ts";
import type { Message } from "../src/llm/types.ts";
import { resolveHome } from "../src/storage/home.ts";
import { modelRequest } from "./support/model-request.ts";
import { toOpenAIEvents } from "./support/model-wire.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { startWireServer } from "./support/wire-server.ts";

const signed = `call_1__thought__${"c2lnbmF0dXJl".repeat(40)}==`;

interface Sent {
  messages: Array<{ role: string; tool_call_id?: string; tool_calls?: Array<{ id: string }> }>;
}

test.each([
  ["functions.list_dir:0", true],
  [signed, true],
  ["call_abc", false],
])("%s comes back: %s", async (id, isKept) => {
  const call = toOpenAIEvents({ text: "", calls: [{ name: "list_dir", arguments: { path: "." } }] });
  await using server = await startWireServer(
    { chunks: call.replace('"call_0"', JSON.stringify(id)) },
    { chunks: toOpenAIEvents({ text: "Done.", calls: [] }) },
  );
  const config = {
    agents: { defaults: { provider: "custom", model: "m" } },
    providers: { custom: { apiBase: `${server.url}/v1`, apiKey: "k" } },
  };
  const home = await createTemporaryFolder({ "config.json": JSON.stringify(config) });
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { app } = built;
  for (const text of ["Look.", "Again?"]) await app.loop.processDirect({ sessionKey: "cli:direct", text });
  await app.close();
  // In the same turn, and from the stored conversation.
  for (const { json } of server.requests.slice(1)) {
    const { messages } = json as unknown as Sent;
    const given = messages.flatMap(({ tool_calls: calls = [] }) => calls.map((one) => one.id));
    const answered = messages.flatMap(({ role, tool_call_id: one = "" }) => (role === "tool" ? [one] : []));
    expect(given).toEqual(answered);
    expect(given.includes(id)).toBe(isKept);
  }
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain("host_call_id");
});

test("a host that does not take them gets ours, and one that repeats them gets each once", () => {
  const call = (id: string, host_call_id: string): Message[] => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id,
          type: "function",
          function: { name: "look", arguments: "{}" },
          extra_content: { host_call_id },
        },
      ],
    },
    { role: "tool", tool_call_id: id, name: "look", content: "x" },
  ];
  const messages: Message[] = [
    { role: "user", content: "Look" },
    ...call("t1.1.0", signed),
    ...call("t1.2.0", signed),
  ];
  const ids = (host = createCustomHost("mine")) =>
    (toOpenAIBody(modelRequest({ messages }), host) as unknown as Sent).messages.flatMap(
      ({ tool_call_id: id }) => id ?? [],
    );
  expect(ids()).toEqual([signed, "t1.2.0"]);
  expect(ids(findHost("openai"))).toEqual(["t1.1.0", "t1.2.0"]);
  expect(ids(findHost("mistral")).every((id) => /^[A-Za-z0-9]{9}$/.test(id))).toBe(true);
});
