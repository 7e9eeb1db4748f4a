// Goals: longer work that goes on turn after turn, with a plan, limits, and across the death of the gateway.
import { afterEach, describe, expect, it } from "vitest";
import type { GoalRecord } from "../src/api/jobs/goals.ts";
import type { CodeScript } from "../src/llm/scripted.ts";
import { eventually } from "./support/eventually.ts";
import { startGatewayProgram } from "./support/gateway-program.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:goal";
const plan = (steps: string[], end?: string) => ({
  toolCalls: [{ name: "goal", arguments: { steps, ...(end && { end }) } }],
});

async function begin(script: CodeScript, text = "/goal Tidy the notes") {
  const gateway = await createTestGateway(script);
  const client = await openWebClient(gateway);
  await client.ask("chat.send", { sessionKey, text });
  const goals = async (): Promise<GoalRecord[]> => (await client.ask("goals.list", {})).goals;
  const states = async () => (await goals()).map(({ state }) => state);
  const say = (said: string) => client.ask("chat.send", { sessionKey, text: said });
  return { gateway, client, goals, states, say };
}

describe("a goal", () => {
  it("goes on turn after turn until it is done, keeps a plan, and reports at the end", async () => {
    const { client, goals, states, gateway } = await begin([
      plan(["[>] read", "[ ] sort"]),
      "Continuing.",
      plan(["[x] read", "1. [x] sort"], "done"),
      "All notes are sorted.",
    ]);
    await eventually(states).toEqual(["done"]);
    const [goal] = await goals();
    expect(goal).toMatchObject({
      text: "Tidy the notes",
      round: 2,
      steps: [
        { text: "read", state: "done" },
        { text: "sort", state: "done" },
      ],
    });
    await eventually(async () => (await client.ask("chat.open", { sessionKey })).running).toBeUndefined();
    const sent = gateway.provider.requests.at(-1)?.messages ?? [];
    const prompts = sent.filter(
      ({ role, content }) => role === "user" && JSON.stringify(content).includes("[Goal: "),
    );
    expect(prompts).toHaveLength(2);
    expect(JSON.stringify(prompts[1])).toContain("[>] read");
    const { entries, session } = await client.ask("chat.open", { sessionKey });
    expect(entries.at(-1)?.text).toBe("All notes are sorted.");
    // What the model was told is not for people, neither among the messages nor as a title.
    expect(entries.find(({ isGoal }) => isGoal)?.text).toBe("Tidy the notes");
    expect(session.title).toBe("Tidy the notes");
  });

  it("ends with a report when its limit of tokens is used up, and gets more when it is resumed", async () => {
    const usage = { input: 300_000, cached: 0, output: 10 };
    const { states, goals, say, gateway } = await begin([
      { text: "Continuing.", usage },
      { text: "Continuing.", usage },
      "Half of it is done.",
      plan([], "done"),
      "Now all of it.",
    ]);
    await eventually(states).toEqual(["limit"]);
    expect((await goals())[0]).toMatchObject({ round: 3 });
    expect(JSON.stringify(gateway.provider.requests.at(-1))).toContain("limits are used up");
    await say("/goal resume");
    await eventually(states).toEqual(["done"]);
    expect((await goals())[0]?.round).toBe(4);
  });

  it("is paused and stopped by a person, one for each conversation", async () => {
    const held = Promise.withResolvers<void>();
    const { states, say, gateway, client } = await begin([
      async () => {
        await held.promise;
        return { text: "Continuing." };
      },
      plan([], "stuck"),
      "I need your word.",
    ]);
    await gateway.isAsked(1);
    await say("/goal pause");
    await eventually(states).toEqual(["paused"]);
    held.resolve();
    await eventually(async () => (await client.ask("chat.open", { sessionKey })).running).toBeUndefined();
    await say("/goal Something else");
    await say("/goal resume");
    await eventually(states).toEqual(["stuck"]);
    await expect(client.ask("goals.set", { id: "another", state: "stopped" })).rejects.toMatchObject({
      problem: { code: "goals.not-found" },
    });
  });

  it("takes odd plans, and is not seen by guests", async () => {
    const { states, gateway } = await begin([plan(["x".repeat(5_000), "  ", "- [X] done"], "done"), "Done."]);
    await eventually(states).toEqual(["done"]);
    const guest = await openWebClient(gateway, { person: "eve", role: "guest" });
    expect(await guest.ask("goals.list", {})).toEqual({ goals: [] });
  });
});

it("goes on after the gateway was killed, without a turn twice", async () => {
  const never = new Promise(() => {});
  let isKilled = false;
  const gateway = await startGatewayProgram({
    answer: ({ messages }) => {
      const prompts = messages.filter(({ content }) => JSON.stringify(content).includes("[Goal: ")).length;
      if (prompts === 1) return { text: "Continuing." };
      if (!isKilled) return { text: ["It dies"], waitFor: never };
      return messages.at(-1)?.role === "tool" ? { text: "Done." } : plan(["[x] all"], "done");
    },
    env: { NANOBOT_AGENTS__DEFAULTS__GENERATE_TITLES: "false" },
  });
  const client = await openWebClient(gateway);
  await client.ask("chat.send", { sessionKey, text: "/goal Tidy the notes" });
  await gateway.model.waitForRequests(2);
  await gateway.kill();
  isKilled = true;
  await gateway.start();
  await client.reconnect({ url: gateway.url });
  const state = async () =>
    (await client.ask("goals.list", {})).goals.map((goal) => [goal.state, goal.round]);
  await eventually(state).toEqual([["done", 2]]);
  const { entries } = await client.ask("chat.open", { sessionKey });
  expect(entries.filter(({ isGoal }) => isGoal)).toHaveLength(2);
});
