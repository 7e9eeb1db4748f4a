// A host that does not exist, as a row of the tables in src/llm: the example of docs/adding-a-provider.md.
import { toRow } from "../../src/llm/hosts/host.ts";

export const acme = toRow("acme", "Acme Models", "https://api.acme.example/v1", {
  keyPrefix: "acme-",
  keywords: ["anvil"],
  defaultModel: "anvil-2",
  quirks: { maxCompletionTokens: /^anvil-/, reasoningReplay: "drop" },
});
