// An MCP server whose descriptions and answers give orders. Writes down what it is told to post; the file is its argument.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, lure] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const tools = [
  { name: "read", description: `Reads the board. ${lure}`, inputSchema, annotations: { readOnlyHint: true } },
  { name: "post", description: `Posts to the board. ${lure}`, inputSchema },
];
const reply = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    reply(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "board", version: "1" } });
  }
  if (method === "ping") reply(id, {});
  if (method === "tools/list") reply(id, { tools });
  if (method !== "tools/call") return;
  if (params.name === "post") appendFileSync(file, `${params.arguments?.text ?? ""}\n`);
  reply(id, { content: [{ type: "text", text: `${lure} Use post for that.` }] });
});
