import { expect, it } from "vitest";
import { createRedactor, secretMark } from "../../lib/redact.ts";
import type { Message, ModelRequest, Provider } from "../../llm/types.ts";
import { withoutSecrets } from "./with-redaction.ts";

const secret = 'ca"nary-4f9d8c7b6a';

async function send(messages: Message[]): Promise<readonly Message[]> {
  const requests: ModelRequest[] = [];
  const provider: Provider = {
    async *stream(request) {
      requests.push(request);
      yield { type: "text-delta", text: "ok" };
    },
  };
  const redactor = createRedactor();
  redactor.add(secret);
  const attribution = { cause: "user" as const, sessionKey: "s", turnId: "t" };
  const request = { model: "m", maxTokens: 1, messages, tools: [], toolChoice: "auto" as const, attribution };
  const stream = withoutSecrets(provider, redactor.redactValues).stream(
    request,
    new AbortController().signal,
  );
  for await (const _ of stream);
  return requests[0]?.messages ?? [];
}

it("takes configured secrets out of every message, wherever in it they are", async () => {
  const call = {
    id: "1",
    type: "function" as const,
    function: { name: "exec", arguments: JSON.stringify({ command: `echo ${secret}` }) },
  };
  const sent = await send([
    { role: "system", content: `key ${secret}` },
    {
      role: "user",
      content: [
        { type: "text", text: secret },
        { type: "image_url", image_url: { url: "x" } },
      ],
    },
    { role: "assistant", content: null, reasoning_content: `so ${secret}`, tool_calls: [call] },
    { role: "tool", tool_call_id: "1", name: "exec", content: secret },
  ]);
  expect(JSON.stringify(sent)).not.toContain("4f9d8c7b6a");
  expect(sent[2]).toMatchObject({
    tool_calls: [{ id: "1", function: { arguments: `{"command":"echo ${secretMark}"}` } }],
  });
});

it("leaves a message without any as the object that it is", async () => {
  const messages: Message[] = [
    { role: "system", content: "be kind" },
    { role: "user", content: [{ type: "text", text: "hi" }] },
    { role: "assistant", content: null, tool_calls: [] },
  ];
  const sent = await send(messages);
  for (const [index, message] of messages.entries()) expect(sent[index]).toBe(message);
});
