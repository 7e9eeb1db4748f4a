// A host that does not exist, as a row of the tables in src/llm: the example of docs/adding-a-provider.md.
import type { HostRow } from "../../src/llm/host-row.ts";

export const acme: HostRow = {
  name: "acme",
  label: "Acme Models",
  baseUrl: "https://api.acme.example/v1",
  keyVariables: ["ACME_API_KEY"],
  keyPrefix: "acme-",
  keywords: ["anvil"],
  defaultModel: "anvil-2",
  stripsPrefix: true,
  quirks: { maxCompletionTokens: /^anvil-/, reasoningReplay: "drop" },
};
