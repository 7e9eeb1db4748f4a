// The assistant as the agent of an editor: the program driven over its standard streams, as editors drive it.
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { type FakeModelReply, startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome, nanobot } from "./support/run-program.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown> | null;
  error?: { code: number };
}

interface Update {
  sessionUpdate: string;
  content?: unknown;
}

async function openEditor(replies: FakeModelReply[], choose: (options: string[]) => string = () => "no") {
  const rest = [...replies];
  const model = await startFakeModel(() => rest.shift() ?? { text: "done" });
  const { env } = await createProgramHome(configFor(model.url));
  const project = await createTemporaryFolder();
  const [command = "", ...args] = nanobot("acp");
  const child: ChildProcess = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const waiting = new Map<number, (message: Message) => void>();
  const updates: Update[] = [];
  const permissions: Message[] = [];
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === "session/update") updates.push(message.params?.update as Update);
    else if (message.method === "session/request_permission") {
      permissions.push(message);
      const options = message.params?.options as Array<{ optionId: string }>;
      const optionId = choose(options.map((option) => option.optionId));
      send({ id: message.id, result: { outcome: { outcome: "selected", optionId } } });
    } else waiting.get(message.id ?? -1)?.(message);
  });
  const request = (method: string, params: object) => {
    const id = ++last;
    send({ id, method, params });
    return new Promise<Message>((resolve) => waiting.set(id, resolve));
  };
  const said = () =>
    updates
      .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      .map(({ content }) => (content as { text: string }).text)
      .join("");
  const open = async () => {
    const { result } = await request("session/new", { cwd: project, mcpServers: [] });
    return String(result?.sessionId);
  };
  return { model, project, request, send, updates, permissions, said, open };
}

const text = (words: string) => [{ type: "text", text: words }];

it("answers prompts with text as it comes, tool calls and diffs, and loads a session again", async () => {
  const write = { name: "write_file", arguments: { path: "notes.md", content: "new\n" } };
  const editor = await openEditor([{ toolCalls: [write] }, { text: "Written." }]);
  const { result } = await editor.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect(result).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const sessionId = await editor.open();
  await writeFile(join(editor.project, "notes.md"), "old\n");
  const prompted = await editor.request("session/prompt", { sessionId, prompt: text("Write it") });
  expect(prompted.result).toEqual({ stopReason: "end_turn" });
  expect(editor.said()).toContain("Written.");
  expect(await readFile(join(editor.project, "notes.md"), "utf8")).toBe("new\n");
  const calls = editor.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"));
  expect(calls).toMatchObject([
    { sessionUpdate: "tool_call", kind: "edit", status: "in_progress" },
    { status: "completed", content: [{ type: "diff", oldText: "old\n", newText: "new\n" }] },
  ]);
  editor.updates.length = 0;
  await editor.request("session/load", { sessionId, cwd: editor.project, mcpServers: [] });
  expect(JSON.stringify(editor.updates)).toContain("Write it");
  expect(editor.said()).toContain("Written.");
});

it("asks the editor for permission, and takes a no", async () => {
  const run = { name: "exec", arguments: { command: "curl http://127.0.0.1:9/", network: true } };
  const editor = await openEditor([{ toolCalls: [run] }, { text: "Then not." }]);
  const sessionId = await editor.open();
  await editor.request("session/prompt", { sessionId, prompt: text("Fetch it") });
  expect(editor.permissions).toHaveLength(1);
  const options = editor.permissions[0]?.params?.options as Array<{ optionId: string; kind: string }>;
  expect(options.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["allow_once", "reject_once"]));
  expect(editor.said()).toContain("Then not.");
});

it("refuses what it does not know, and goes on", async () => {
  const editor = await openEditor([]);
  expect((await editor.request("session/prompt", { sessionId: "none", prompt: [] })).error?.code).toBe(
    -32_602,
  );
  expect((await editor.request("session/new", { cwd: "relative" })).error?.code).toBe(-32_602);
  expect((await editor.request("nonsense", {})).error?.code).toBe(-32_601);
});
