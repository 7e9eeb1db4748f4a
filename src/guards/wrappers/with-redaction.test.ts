import { expect, it } from "vitest";
import * as z from "zod";
import { runTool } from "../../../test/support/run-tool.ts";
import { createToolContext } from "../../../test/support/tool-context.ts";
import { createRedactor, secretMark } from "../../lib/redact.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, ToolError, type ToolResult } from "../../runner/tool.ts";
import { withRedaction } from "./with-redaction.ts";

const secret = "canary-4f9d8c7b6a";

function guarded(execute: Tool["execute"]): Tool {
  const redactor = createRedactor();
  redactor.add(secret);
  const tool = defineTool({
    name: "any",
    description: "Any.",
    parameters: z.object({ text: z.string() }),
    effects: ({ text }) => [{ type: "write", path: "x", text }],
    execute,
  });
  return withRedaction(redactor)(tool as Tool);
}

it("takes secrets out of results, of text and of parts, and leaves everything else of them", async () => {
  const result: ToolResult = { content: `a ${secret} b`, isError: true, labels: ["web"] };
  expect(
    await runTool(
      guarded(async () => result),
      { text: "" },
    ),
  ).toEqual({
    content: `a ${secretMark} b`,
    isError: true,
    labels: ["web"],
  });
  const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA" } };
  const parts: ToolResult = { content: [{ type: "text", text: secret }, image] };
  expect(
    (
      await runTool(
        guarded(async () => parts),
        { text: "" },
      )
    ).content,
  ).toEqual([{ type: "text", text: secretMark }, image]);
});

it("takes them out of errors, whatever threw them, and passes clean errors and aborts on as they are", async () => {
  const failing = (error: unknown) =>
    runTool(
      guarded(() => Promise.reject(error)),
      { text: "" },
    );
  await expect(failing(new ToolError(`no ${secret}`))).rejects.toThrow(new ToolError(`no ${secretMark}`));
  await expect(failing(new TypeError(`bad ${secret}`))).rejects.toThrow(new ToolError(`bad ${secretMark}`));
  const clean = new RangeError("clean");
  await expect(failing(clean)).rejects.toBe(clean);
  const controller = new AbortController();
  const reason = new Error(`stopped ${secret}`);
  const tool = guarded(async () => {
    controller.abort(reason);
    throw new Error("other");
  });
  const context = createToolContext({ signal: controller.signal });
  await expect(runTool(tool, { text: "" }, context)).rejects.toBe(reason);
});

it("takes them out of progress", async () => {
  const context = createToolContext();
  const tool = guarded(async (_, { progress }) => {
    progress(`reading ${secret}`);
    return { content: "done" };
  });
  await runTool(tool, { text: "" }, context);
  expect(context.progressed).toEqual([`reading ${secretMark}`]);
});

it("does not let the mark of a secret be written in its place", async () => {
  let calls = 0;
  const tool = guarded(async () => ({ content: String(++calls) }));
  await expect(runTool(tool, { text: `KEY=${secretMark}` })).rejects.toThrow(/Leave its line as it is/);
  await runTool(tool, { text: "KEY=<secret>" });
  expect(calls).toBe(1);
});
