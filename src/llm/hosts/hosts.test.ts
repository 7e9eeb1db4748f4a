import { describe, expect, it } from "vitest";
import { findHost, findHostByKey, knownHosts } from "./hosts.ts";

const clouds = knownHosts.filter(({ kind }) => kind === "vendor" || kind === "gateway");

describe("the table of hosts", () => {
  it("has no two rows of one name in any spelling", () => {
    const names = knownHosts.map(({ name }) => name.replaceAll("_", "").toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of knownHosts) expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  it.each(knownHosts.filter(({ baseUrl }) => baseUrl !== undefined))(
    "gives $name a usable address",
    (host) => {
      const url = new URL(host.baseUrl ?? "");
      expect(host.baseUrl).not.toMatch(/\/$/);
      expect(url.search + url.hash + url.username).toBe("");
      const isLocal = host.kind === "local";
      expect(url.protocol).toBe(isLocal ? "http:" : "https:");
      expect(url.hostname === "localhost").toBe(isLocal);
    },
  );

  it.each(clouds)("names an environment variable for the key of $name", ({ keyVariables }) => {
    expect(keyVariables.length).toBeGreaterThan(0);
    for (const variable of keyVariables) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*_(KEY|TOKEN)$/);
  });

  it("lets no key begin like another host's key", () => {
    const prefixes = knownHosts.flatMap(({ keyPrefix }) => keyPrefix ?? []);
    expect(prefixes.length).toBeGreaterThan(5);
    for (const a of prefixes) {
      for (const b of prefixes) expect(a === b || !a.startsWith(b), `${a} begins like ${b}`).toBe(true);
    }
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it("pairs the endpoints of both sides of the Chinese border with each other", () => {
    const twins = knownHosts.filter(({ twin }) => twin !== undefined);
    for (const { name, twin = "" } of twins) expect(findHost(twin)?.twin).toBe(name);
    for (const vendor of ["moonshot", "minimax", "dashscope", "zhipu", "siliconflow"]) {
      expect(twins.map(({ name }) => name)).toContain(vendor);
    }
  });

  it("shares a key variable between twins only, or between protocols of one vendor, with the plain row first", () => {
    const byVariable = Map.groupBy(
      knownHosts.flatMap((host) => host.keyVariables.map((variable) => ({ variable, host }))),
      ({ variable }) => variable,
    );
    for (const [variable, rows] of byVariable) {
      const [first, ...others] = rows.map(({ host }) => host);
      const sites = others.map((host) => host.name.split("_")[0]);
      const vendors = [first?.name, first?.twin].map((name) => name?.split("_")[0]);
      for (const site of sites) expect(vendors, variable).toContain(site);
      if (others.length > 0) expect(first?.keyVariables[0], variable).toBe(variable);
    }
  });

  it("has a model ready for every host that a well-known key may select", () => {
    const variables = [
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "OPENROUTER_API_KEY",
      "DEEPSEEK_API_KEY",
      "GEMINI_API_KEY",
      "MOONSHOT_API_KEY",
      "DASHSCOPE_API_KEY",
      "ZHIPU_API_KEY",
      "GROQ_API_KEY",
      "MISTRAL_API_KEY",
      "SILICONFLOW_API_KEY",
      "MINIMAX_API_KEY",
      "ZAI_API_KEY",
    ];
    for (const variable of variables) {
      const host = knownHosts.find(({ keyVariables }) => keyVariables[0] === variable);
      expect(host?.defaultModel, variable).toBeTruthy();
    }
  });

  it("does not choose Hugging Face because of its token", () => {
    expect(findHost("huggingface")?.defaultModel).toBeUndefined();
  });
});

describe("the patterns for models", () => {
  const anthropic = findHost("anthropic")?.quirks ?? {};
  const test = (pattern: unknown, model: string) => (pattern as RegExp).test(model);

  it.each([
    ["claude-3-7-sonnet-20250219", false, false, false],
    ["claude-sonnet-4-20250514", false, false, false],
    ["claude-opus-4-1-20250805", false, false, false],
    ["claude-opus-4-5", false, false, false],
    ["claude-haiku-4-5-20251001", false, false, false],
    ["claude-opus-4-6", true, false, false],
    ["claude-sonnet-4.6", true, false, false],
    ["claude-opus-4-7", true, true, false],
    ["claude-opus-4-8", true, true, false],
    ["claude-sonnet-5", true, true, false],
    ["claude-opus-5", true, true, false],
    ["claude-fable-5", true, true, false],
    ["claude-fable-5-1", true, true, true],
    ["claude-sonnet-5-5", true, true, true],
    ["claude-opus-5-5", true, true, true],
    ["claude-haiku-5-5", true, true, true],
  ])("know of %s: adaptive %s, no temperature %s, bound thinking %s", (model, adaptive, rejects, bound) => {
    expect(test(anthropic.adaptiveThinking, model)).toBe(adaptive);
    expect(test(anthropic.rejectsTemperature, model)).toBe(rejects);
    expect(test(anthropic.boundThinking, model)).toBe(bound);
  });

  const openai = findHost("openai")?.quirks ?? {};

  it.each([
    ["gpt-4o", false, false],
    ["gpt-4.1-mini", false, false],
    ["o3-mini", true, false],
    ["gpt-5", true, false],
    ["gpt-5.2", true, false],
    ["gpt-5.4-mini", true, true],
    ["gpt-5.6-terra", true, true],
    ["gpt-6.1-sol", true, true],
  ])("know of %s: reasons %s, no effort together with tools %s", (model, reasons, noEffort) => {
    expect(test(openai.maxCompletionTokens, model)).toBe(reasons);
    expect(test(openai.rejectsTemperature, model)).toBe(reasons);
    expect(test(openai.noEffortWithTools, model)).toBe(noEffort);
  });
});

describe("looking up a host", () => {
  it.each([
    ["minimax_anthropic", "minimax_anthropic"],
    ["minimaxAnthropic", "minimax_anthropic"],
    ["minimax-anthropic", "minimax_anthropic"],
    ["lmStudio", "lm_studio"],
    ["OpenAI", "openai"],
    ["azureOpenai", "azure_openai"],
    ["bedrock", undefined],
    ["", undefined],
  ])("finds %j as %s", (spelling, name) => {
    expect(findHost(spelling)?.name).toBe(name);
  });

  it("knows whose key it is by its beginning", () => {
    expect(findHostByKey("sk-ant-api03-abc")?.name).toBe("anthropic");
    expect(findHostByKey("sk-orca-abc")?.name).toBe("orcarouter");
    expect(findHostByKey("sk-or-v1-abc")?.name).toBe("openrouter");
    expect(findHostByKey("sk-abc")).toBeUndefined();
  });
});
