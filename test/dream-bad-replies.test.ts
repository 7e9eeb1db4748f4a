// A model that answers badly, by chance from a fixed seed: whatever it says, no fact of memory is lost.
import { afterEach, expect, it } from "vitest";
import type { ModelRequest } from "../src/llm/types.ts";
import { addHistory, createDreamApp, edit, memory } from "./support/dream-app.ts";
import { seed } from "./support/seed.ts";
import { closeTestApps } from "./support/test-app.ts";

afterEach(closeTestApps);

const facts = [
  "- allergic to penicillin",
  "- has a cat named Luna",
  "- sister Marta lives in Oslo",
  "- drives a Saab",
];

/** Numbers from 0 to 1 that follow from a seed. */
function createRandom(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const analyses = [
  "",
  '{"facts": [',
  "As an AI I cannot.",
  "[MEMORY] ".repeat(200),
  "[MEMORY] likes tea (#1)",
  "[SKIP]",
  "[USER",
];

const edits = [
  "",
  "done",
  { toolCalls: [{ name: "edit_file", arguments: '{"path": "memory/MEM' }] },
  { toolCalls: [{ name: "write_file", arguments: { path: memory, content: "" } }] },
  edit(memory, facts.join("\n"), "- likes tea"),
  edit(memory, `${facts[0]}\n`, ""),
  edit(memory, "- has a cat named Luna", "- has a cat"),
  edit(memory, "- drives a Saab", "- drives a Saab\n- likes tea"),
  edit(memory, "never there", "anything"),
];

it("never makes memory worse", async () => {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const isAnalysis = ({ tools = [] }: ModelRequest) => tools.length === 0;
  const step = (request: ModelRequest) => (isAnalysis(request) ? pick(analyses) : pick(edits));
  const files = { [memory]: `${facts.join("\n")}\n` };
  const app = await createDreamApp({ steps: [step], loop: true }, { files });
  const outcomes = new Set<string>();
  for (let run = 0; run < 40; run++) {
    await addHistory(app.workspace, [`- said something ${run}`], app.clock);
    outcomes.add((await app.dream()).slice(0, 30));
    const left = (await app.file(memory)).split("\n");
    for (const fact of facts) expect(left).toContain(fact);
  }
  expect(outcomes.size).toBeGreaterThan(2);
});
