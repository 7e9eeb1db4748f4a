// A process of its own that dreams once: node dream-once.ts <home>. Its model adds a line to two files and writes a
// skill. Prints the kind of outcome.
import { createScripted } from "../../src/llm/scripted.ts";
import { createDreamOn } from "./dream-on-home.ts";

const [home = ""] = process.argv.slice(2);
const { dream } = createDreamOn(home);
const skill = "---\nname: plan-trips\ndescription: Plan a trip from a list of wishes\n---\n\n1. Ask.\n";
const edit = (path: string, text: string) => ({
  name: "edit_file",
  arguments: { path, old_text: "- old\n", new_text: `- old\n${text}\n` },
});
const provider = createScripted([
  "[USER] Likes tea (#1)\n[MEMORY] The cat is Luna (#1)\n[SKILL] plan-trips: Plan a trip from a list of wishes",
  {
    toolCalls: [
      edit("USER.md", "- Likes tea"),
      edit("memory/MEMORY.md", "- The cat is Luna"),
      { name: "write_file", arguments: { path: "skills/plan-trips/SKILL.md", content: skill } },
    ],
  },
  "done",
]);
const model = { provider, settings: { model: "scripted", maxTokens: 1_000 }, contextWindow: 200_000 };
const { kind } = await dream.run({ scope: "owner", model, signal: new AbortController().signal });
process.stdout.write(kind);
