// What an MCP server asks while one of its tools runs: put to the owner in the chat of the turn, answered there, and told
// to that server alone.
import { afterEach, describe, expect, it } from "vitest";
import type { Question } from "../src/bus/ask.ts";
import type { Origin } from "../src/bus/types.ts";
import { sentence } from "./support/english.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { oddServer, patientClock } from "./support/mcp-servers.ts";
import { closeTestApps, createTestApp, type TestAppOptions } from "./support/test-app.ts";

afterEach(closeTestApps);

interface Scene extends TestAppOptions {
  /** Typed as soon as something is asked. */
  answer?: string;
  origin?: Partial<Origin>;
  oddity?: string;
}

const owner = { role: "owner", person: "owner" } as const;
const message = "Delete the branch?";

/** One turn in which the tool of a server asks with this form. */
async function talk(properties: object, { answer, origin = {}, oddity = "elicits", ...options }: Scene = {}) {
  const form = { message, requestedSchema: { type: "object", properties } };
  const call = { toolCalls: [{ name: "mcp_odd_odd", arguments: form }] };
  const config = { tools: { approval: "off", mcpServers: { odd: oddServer(oddity) } } };
  const app = await createTestApp([call, "done"], {
    canAsk: () => true,
    clock: patientClock,
    config,
    ...options,
  });
  const channel = createFakeChannel("fake");
  const ending = new AbortController();
  void app.loop.run(ending.signal);
  void channel.serve(app.bus, ending.signal);
  const asked: Question[] = [];
  channel.onLive(({ body }) => {
    if (body.type !== "ask-start") return;
    // What a guest's call itself needs.
    if (body.question.kind === "approval")
      return void channel.say("yes", { origin: { ...origin, ...owner } });
    asked.push(body.question);
    if (answer !== undefined) void channel.say(answer, { origin });
  });
  await channel.say("go", { origin });
  const ended = channel.nextPart();
  const result = async () => {
    expect((await ended).text).toBe("done");
    return String(app.provider.requests.at(-1)?.messages.at(-1)?.content);
  };
  return { asked, channel, result };
}

const told = (answer: object) => `\n${JSON.stringify(answer)}`;
const colours = { type: "string", enum: ["r", "g"], enumNames: ["Red", "[Green](https://bad.example)"] };

describe("a question of an MCP server", () => {
  it.each<[string, object, string, object]>([
    ["without a field by yes", {}, "yes", {}],
    ["with a boolean by yes", { sure: { type: "boolean" } }, "y", { sure: true }],
    ["with a boolean by no", { sure: { type: "boolean" } }, "2", { sure: false }],
    ["with named values by one of them", { colour: colours }, "2", { colour: "g" }],
    ["with plain values by one of them", { size: { type: "string", enum: ["S", "L"] } }, "1", { size: "S" }],
    [
      "with titled values by one of them",
      { size: { type: "string", oneOf: [{ const: "s", title: "Small" }] } },
      "1",
      { size: "s" },
    ],
  ])("is answered %s", async (_, properties, answer, content) => {
    const { asked, result } = await talk(properties, { answer });
    expect(await result()).toContain(told({ action: "accept", content }));
    expect(asked).toMatchObject([{ kind: "choice", person: "owner" }]);
  });

  it("names the server, and shows its words as text that nothing obeys", async () => {
    const field = { ...colours, title: "Colour\u202e", description: "x".repeat(5_000) };
    const { asked, result } = await talk({ colour: field }, { answer: "no" });
    await result();
    expect(asked[0]?.phrase).toEqual({ code: "mcp.asks", params: { server: "odd" } });
    expect(asked[0]?.detail).toMatch(/^Delete the branch\?\nColour\nx{999}…$/);
    const labels = asked[0]?.choices.map(({ id, phrase }) => [id, phrase]);
    expect(labels).toEqual([
      ["1", { code: "mcp.option", params: { label: "Red" } }],
      ["2", { code: "mcp.option", params: { label: "'Green'(https://bad.example)" } }],
      ["no", { code: "mcp.refuse", params: {} }],
    ]);
  });

  it.each([
    ["no", {}],
    [sentence("mcp.refuse"), { sure: { type: "boolean" } }],
  ])("is refused by %j, and the model is told", async (answer, properties) => {
    const { result } = await talk(properties, { answer });
    const text = await result();
    expect(text).toContain(told({ action: "decline" }));
    expect(text).toContain(`asked the user: ${message}. It was told no, because the user said no.`);
  });

  it.each<[string, Scene]>([
    ["where the channel cannot ask", { canAsk: () => false }],
    ["in the turn of a guest", { origin: { role: "guest", person: "li", group: "family" } }],
    ["in a scheduled turn", { origin: { cause: "cron" } }],
  ])("is not asked %s", async (_, scene) => {
    const { asked, result } = await talk({}, scene);
    const text = await result();
    expect(text).toContain(told({ action: "decline" }));
    expect(text).toContain("nobody is there to be asked");
    expect(asked).toEqual([]);
  });

  it.each<[string, object, string, object]>([
    ["free text", { name: { type: "string" } }, "Anna Berg", { name: "Anna Berg" }],
    ["a number", { age: { type: "integer", minimum: 1 } }, "41", { age: 41 }],
    [
      "several values",
      { days: { type: "array", items: { type: "string", enum: ["mo", "tu"] } } },
      "1, tu",
      { days: ["mo", "tu"] },
    ],
    ["the suggested value", { city: { type: "string", default: "Bern" } }, "1", { city: "Bern" }],
  ])("takes %s, which is no message then", async (_, properties, answer, content) => {
    const { asked, channel, result } = await talk(properties, { answer });
    expect(await result()).toContain(told({ action: "accept", content }));
    expect(asked).toHaveLength(1);
    expect(channel.seen.filter(({ body }) => body.type === "turn-end")).toHaveLength(1);
  });

  it("asks again for what does not fit, and gives up after three times", async () => {
    const { asked, result } = await talk({ age: { type: "integer" } }, { answer: "many" });
    expect(await result()).toContain(told({ action: "decline" }));
    expect(asked).toHaveLength(3);
  });

  it("asks one field after another, and offers all suggested values at once", async () => {
    const fields = { name: { type: "string", default: "John" }, sure: { type: "boolean", default: true } };
    const all = await talk(fields, { answer: sentence("mcp.use-defaults") });
    expect(await all.result()).toContain(told({ action: "accept", content: { name: "John", sure: true } }));
    expect(all.asked).toHaveLength(1);
    const each = await talk({ sure: { type: "boolean" }, colour: colours }, { answer: "2" });
    expect(await each.result()).toContain(told({ action: "accept", content: { sure: false, colour: "g" } }));
  });

  it("is not asked for values that look the same", async () => {
    const { asked, result } = await talk({ size: { type: "string", enum: ["S", "S\u200b"] } });
    const text = await result();
    expect(text).toContain(told({ action: "decline" }));
    expect(text).toContain("such a form cannot be shown");
    expect(asked).toEqual([]);
  });

  it("does not count as time that the call takes", async () => {
    const clock = createFakeClock();
    const { asked, channel, result } = await talk({}, { clock });
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(9 * 60_000);
    await channel.say("yes");
    expect(await result()).toContain(told({ action: "accept", content: {} }));
  });

  it("is cancelled when nobody answers in time", async () => {
    const clock = createFakeClock();
    const { asked, result } = await talk({}, { clock });
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(10 * 60_000);
    const text = await result();
    expect(text).toContain(told({ action: "cancel" }));
    expect(text).toContain("nobody answered");
  });

  it.each([
    ["elicits-and-goes-on", "never mind"],
    ["elicits-and-withdraws", "withdrawn"],
  ])("is over when the server no longer waits for it: %s", async (oddity, said) => {
    const { channel, result } = await talk({}, { oddity });
    expect(await result()).toContain(said);
    const count = (type: string) => channel.seen.filter(({ body }) => body.type === type).length;
    expect(count("ask-end")).toBe(count("ask-start"));
  });
});
