// A tool, `work`, that does not come back before a test lets it: what is said meanwhile surely finds a turn that runs.
import * as z from "zod";
import { defineTool } from "../../src/runner/define-tool.ts";
import type { Tool } from "../../src/runner/tool.ts";
import type { FakeChannel } from "./fake-channel.ts";

export const callHeldTool = { toolCalls: [{ name: "work", arguments: {} }] };

export function createHeldTool() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "work",
    description: "works",
    parameters: z.object({}),
    repeat: "never",
    async execute() {
      begun.resolve();
      await end.promise;
      return { content: "done" };
    },
  }) as Tool;
  return { tool, begun: begun.promise, end: () => end.resolve() };
}

/** Until all that was said before has reached its lane: a command is answered at once, and behind it. */
export async function untilReached(channel: FakeChannel): Promise<void> {
  await channel.say("/help");
  await channel.nextPart();
}
