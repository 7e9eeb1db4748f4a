// Clients that others wrote, each with the file of test/examples that shows its use, against a gateway of this process.
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { generate, generateDate, streamPieces } from "./examples/ai-sdk.ts";
import { connect } from "./examples/openai-client.ts";
import { readDate, respond, respondInPieces, useTool } from "./examples/openai-responses.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { startWireServer } from "./support/wire-server.ts";

afterEach(closeTestGateways);

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

describe("OpenAI's client, by way of Responses", () => {
  test("asks, in one piece and in several", async () => {
    const gateway = await createTestGateway(["At nine.", "At ten."]);
    const client = connect(`${gateway.url}/v1`);
    expect(await respond(client, "When?")).toBe("At nine.");
    expect(String(gateway.provider.requests[0]?.messages[0]?.content)).toContain("Be brief.");
    expect((await respondInPieces(client, "And then?")).join("")).toBe("At ten.");
    const response = await client.responses.create({ model: "nanobot", input: "Hi" }).catch((error) => error);
    expect(response).toBeInstanceOf(OpenAI.APIError);
  });

  test("runs its own tool: the turn ends with the call, and goes on with the result", async () => {
    const gateway = await createTestGateway([call("weather", { city: "Bonn" }), "It rains in Bonn."]);
    const client = connect(`${gateway.url}/v1`);
    const asked: string[] = [];
    const run = (city: string) => {
      asked.push(city);
      return "rain";
    };
    expect(await useTool(client, "How is the weather?", run)).toBe("It rains in Bonn.");
    expect(asked).toEqual(["Bonn"]);
    const [first, second] = gateway.provider.requests;
    expect(first?.tools?.map(({ name }) => name)).toContain("weather");
    expect(first?.tools?.map(({ name }) => name)).toContain("read_file");
    expect(JSON.stringify(second?.messages)).toContain("rain");
  });

  test("the same over chat completions, also in a stream", async () => {
    const gateway = await createTestGateway([
      call("weather", { city: "Bonn" }),
      call("weather", { city: "Ulm" }),
    ]);
    const client = connect(`${gateway.url}/v1`);
    const body = {
      model: "nanobot",
      messages: [{ role: "user" as const, content: "Weather?" }],
      tools: [{ type: "function" as const, function: { name: "weather", parameters: {} } }],
    };
    const { choices } = await client.chat.completions.create(body);
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "weather", arguments: '{"city":"Bonn"}' } }] },
    });
    const { choices: streamed } = await client.chat.completions.stream(body).finalChatCompletion();
    expect(streamed[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { arguments: '{"city":"Ulm"}' } }] },
    });
  });

  test("previous_response_id is refused clearly", async () => {
    const gateway = await createTestGateway([]);
    const body = { input: "Hi", previous_response_id: "resp_1" };
    const response = await gateway.post("/v1/responses", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: "previous_response_id", message: expect.stringContaining("session_id") },
    });
  });
});

describe("an answer that has to fit a schema", () => {
  test("is checked, and asked for once more where it does not", async () => {
    const gateway = await createTestGateway([
      "It is Monday.",
      '```json\n{"day": "Monday", "sure": true}\n```',
    ]);
    expect(await readDate(connect(`${gateway.url}/v1`), "the day after Sunday")).toEqual({ day: "Monday" });
    expect(JSON.stringify(gateway.provider.requests[1]?.messages.at(-1))).toContain("it is no JSON");
  });

  test("that never does is a failure, and no text of another form", async () => {
    const gateway = await createTestGateway(["No.", '{"day": 5}']);
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "any" });
    await expect(readDate(client, "?")).rejects.toMatchObject({ status: 502, code: "invalid_output" });
  });

  test("comes whole in a stream", async () => {
    const gateway = await createTestGateway(["No JSON.", '{"a":1}']);
    const body = {
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      response_format: { type: "json_object" },
    };
    const text = await (await gateway.post("/v1/chat/completions", body)).text();
    expect(text).not.toContain("No JSON.");
    expect(text).toContain('"content":"{\\"a\\":1}"');
  });
});

describe("the AI SDK, whose default is Responses", () => {
  test("generates, streams, and gives an object of a schema", async () => {
    const gateway = await createTestGateway(["At nine.", "At ten.", '{"day":"Monday"}']);
    const url = `${gateway.url}/v1`;
    expect(await generate(url, "When?")).toBe("At nine.");
    expect((await streamPieces(url, "And then?")).join("")).toBe("At ten.");
    expect(await generateDate(url, "the day after Sunday")).toEqual({ day: "Monday" });
  });
});

test("files and recordings of a message are attached to it", async () => {
  const gateway = await createTestGateway(["Read.", "Heard."]);
  const data = Buffer.from("The code is 4711.").toString("base64");
  const file = { type: "file", file: { filename: "notes.txt", file_data: `data:text/plain;base64,${data}` } };
  const say = (part: object) =>
    gateway.post("/v1/chat/completions", {
      messages: [{ role: "user", content: [{ type: "text", text: "What is in it?" }, part] }],
    });
  expect((await say(file)).status).toBe(200);
  expect(JSON.stringify(gateway.provider.requests[0]?.messages.at(-1))).toContain("notes.txt");
  expect((await say({ type: "input_audio", input_audio: { data, format: "wav" } })).status).toBe(200);
  expect(JSON.stringify(gateway.provider.requests[1]?.messages.at(-1))).toContain("recording.wav");
});

test("embeddings are those of the configured host, also as OpenAI's client wants them", async () => {
  const reply = { data: [{ index: 0, embedding: [0.5, -1] }], usage: { prompt_tokens: 3 } };
  await using host = await startWireServer({
    headers: { "content-type": "application/json" },
    chunks: JSON.stringify(reply),
  });
  const config = {
    memory: { embeddings: { provider: "custom", model: "e" } },
    providers: { custom: { apiBase: `${host.url}/v1`, apiKey: "k" } },
  };
  const gateway = await createTestGateway([], { config });
  const client = connect(`${gateway.url}/v1`);
  const { data } = await client.embeddings.create({ model: "any", input: "hello" });
  expect(data[0]?.embedding).toEqual([0.5, -1]);
  const none = await createTestGateway([]);
  expect((await none.post("/v1/embeddings", { input: "hello" })).status).toBe(404);
});

describe("pages of other sites", () => {
  const origin = "https://chat.example.org";
  const hello = { messages: [{ role: "user", content: "Hi" }] };

  test("may use the API where the config names them, and nothing else of the gateway", async () => {
    const gateway = await createTestGateway(["Hello.", "Hello."], { config: { api: { origins: [origin] } } });
    const address = `${gateway.url}/v1/chat/completions`;
    const headers = { origin, "access-control-request-headers": "authorization" };
    const asked = await fetch(address, { method: "OPTIONS", headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe(origin);
    expect(asked.headers.get("access-control-allow-headers")).toBe("authorization");
    const answer = await gateway.post("/v1/chat/completions", hello, { origin });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    const streamed = await gateway.post("/v1/chat/completions", { ...hello, stream: true }, { origin });
    expect(streamed.headers.get("access-control-allow-origin")).toBe(origin);
    expect(await streamed.text()).toContain("Hello.");
    expect((await fetch(gateway.url, { headers: { origin } })).status).toBe(403);
  });

  test("are refused otherwise", async () => {
    const gateway = await createTestGateway([], { config: { api: { origins: [origin] } } });
    for (const other of ["https://evil.example.org", "null", `${origin}.evil.example`])
      expect((await gateway.post("/v1/chat/completions", hello, { origin: other })).status).toBe(403);
  });
});

test("the key is also taken from x-api-key", async () => {
  const gateway = await createTestGateway(["Hello."], { config: { api: { apiKey: "secret-key" } } });
  const hello = { messages: [{ role: "user", content: "Hi" }] };
  const ask = (key: string) => gateway.post("/v1/chat/completions", hello, { "x-api-key": key });
  expect((await ask("wrong")).status).toBe(401);
  expect((await ask("secret-key")).status).toBe(200);
});

test("a request with a user brings its own history all the same", async () => {
  const gateway = await createTestGateway(["One.", "Two."]);
  for (const content of ["My cat is Luna.", "What is my cat called?"])
    await gateway.post("/v1/chat/completions", { user: "ann", messages: [{ role: "user", content }] });
  expect(JSON.stringify(gateway.provider.requests[1]?.messages)).not.toContain("Luna");
});
