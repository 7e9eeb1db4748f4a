import { afterEach, expect, test } from "vitest";
import {
  filterGroup,
  fromText,
  getIn,
  type JsonSchema,
  type SettingField,
  type SettingGroup,
  toGroup,
  toText,
} from "../web/src/pages/settings/schema.ts";
import { chineseDescriptions, findDescriptionKey } from "../web/src/words/setting-descriptions.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

/** The schema as a gateway tells it. */
async function openGroup(values: unknown = {}): Promise<SettingGroup> {
  const client = await openWebClient(await createTestGateway([]));
  const { schema } = await client.ask("config.read", {});
  return toGroup(schema as JsonSchema, values);
}

function fieldsOf({ fields, groups }: SettingGroup): SettingField[] {
  return [...fields, ...groups.flatMap(fieldsOf)];
}

const blocks = {
  providers: { mine: {} },
  modelPresets: { fast: {} },
  tools: { mcpServers: { one: {} } },
  budget: { causes: { cron: {} }, people: { anna: {} } },
};

test("every key has a control that fits it, and a description", async () => {
  const fields = fieldsOf(await openGroup(blocks));
  const kindOf = (path: string) => fields.find((field) => field.path.join(".") === path)?.kind;
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter(({ about }) => about === "").map(({ path }) => path.join("."))).toEqual([]);
  expect(kindOf("gateway.port")).toBe("number");
  expect(kindOf("tools.exec.enable")).toBe("switch");
  expect(kindOf("tools.approval")).toBe("choice");
  expect(kindOf("providers.mine.apiKey")).toBe("secret");
  expect(kindOf("providers.mine.extraHeaders")).toBe("map");
  expect(kindOf("tools.mcpServers.one.args")).toBe("texts");
  expect(kindOf("agents.defaults.fallbackModels")).toBe("json");
  expect(kindOf("agents.defaults.model")).toBe("text");
});

test("every description is there in Chinese, and none that nobody needs", async () => {
  const all = (group: SettingGroup): Array<Pick<SettingGroup, "key" | "about">> => [
    group,
    ...group.fields,
    ...group.groups.flatMap(all),
  ];
  const described = all(await openGroup(blocks)).filter(({ about }) => about !== "");
  const missing = described.filter(({ key }) => findDescriptionKey(key) === undefined);
  expect(missing.map(({ key }) => key)).toEqual(["agents"]);
  const englishOf = new Map<string, Set<string>>();
  for (const { key, about } of described) {
    const entry = findDescriptionKey(key) ?? "";
    englishOf.set(entry, new Set([...(englishOf.get(entry) ?? []), about]));
  }
  // Settings that share a text in Chinese share it in English.
  expect([...englishOf].filter(([, abouts]) => abouts.size > 1)).toEqual([]);
  expect(Object.keys(chineseDescriptions).filter((entry) => !englishOf.has(entry))).toEqual([]);
});

test("custom blocks are groups by their names, and can be searched", async () => {
  const root = await openGroup(blocks);
  const providers = root.groups.find(({ path }) => path[0] === "providers");
  expect(providers).toMatchObject({ isOpen: true, groups: [{ path: ["providers", "mine"], isOpen: false }] });
  const found = filterGroup(root, ({ path }) => path.includes("mine") && path.includes("apiKey"));
  expect(fieldsOf(found as SettingGroup).map(({ path }) => path)).toEqual([["providers", "mine", "apiKey"]]);
  expect(filterGroup(root, () => false)).toBeUndefined();
});

test.each([
  ["number", "12.5", 12.5],
  ["number", "many", "many"],
  ["text", " a ", " a "],
  ["texts", "a\n\n b \n", ["a", "b"]],
  ["map", "A=1\nB = x=y", { A: "1", B: "x=y" }],
  ["json", '[{"model":"m"}]', [{ model: "m" }]],
  ["json", "[{", "[{"],
  ["text", "  ", null],
] as const)("what is typed into a field of %s as %j means %j", (kind, text, value) => {
  expect(fromText(text, kind)).toEqual(value);
});

test.each([
  ["texts", ["a", "语"]],
  ["map", { A: "1", B: "x=y" }],
  ["json", [{ model: "m" }, "x"]],
  ["number", 0],
  ["text", "x"],
] as const)("a value of %s is shown so that it can be typed", (kind, value) => {
  expect(fromText(toText(value, kind), kind)).toEqual(value);
});

test("nothing is found behind what is no object", () => {
  expect(getIn({ a: { b: 1 } }, ["a", "b"])).toBe(1);
  expect(getIn({ a: [1] }, ["a", "0"])).toBeUndefined();
  expect(getIn({}, ["constructor"])).toBeUndefined();
});
