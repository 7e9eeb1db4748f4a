// A script for the assistant and one for its subagents, which ask the same model at the same time.

import type { CodeScript, CodeStep } from "../../src/llm/scripted.ts";
import type { ModelRequest } from "../../src/llm/types.ts";

export function isSubagent({ messages }: Pick<ModelRequest, "messages">): boolean {
  return String(messages[0]?.content).startsWith("# Subagent");
}

/** Steps are taken in order by whom they are for. */
export function playTwo({ main, sub }: { main: CodeStep[]; sub: CodeStep[] }): CodeScript {
  const taken = { main: 0, sub: 0 };
  const take = (request: ModelRequest) => {
    const who = isSubagent(request) ? "sub" : "main";
    const step = { main, sub }[who][taken[who]++];
    if (step === undefined) throw new Error(`the script for ${who} is used up`);
    return typeof step === "function" ? step(request) : step;
  };
  return { steps: [take], loop: true };
}
