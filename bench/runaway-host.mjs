// Started by runaway.ts and test/long/runaway.test.ts: a model host that never ends. The kind of stream is the model's name,
// or what the last message of the user asks for ("stream text"); tells its port to the parent.
import { createServer } from "node:http";

const event = (delta) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
const words = "lorem ipsum ".repeat(100);
let calls = 0;

const kinds = {
  text: () => event({ content: words }),
  "small-text": () => event({ content: "abcd" }).repeat(20),
  reasoning: () => event({ reasoning_content: words }),
  arguments: () =>
    event({ tool_calls: [{ index: 0, id: "c", function: { name: "exec", arguments: words } }] }),
  calls: () =>
    event({ tool_calls: [{ index: calls++, id: `c${calls}`, function: { name: "exec", arguments: "{}" } }] }),
  line: (isFirst) => (isFirst ? `data: ${words}` : words),
  comments: () => `: ${words}\n\n`,
};

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { model: name, messages } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const asked = /stream ([\w-]+)/.exec(JSON.stringify(messages.findLast(({ role }) => role === "user")));
  const model = asked?.[1] ?? name;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const [, megabytes] = /^plain-(\d+)$/.exec(model) ?? [];
  if (megabytes !== undefined) {
    for (let sent = 0; sent < Number(megabytes) * 1024 * 1024; sent += words.length)
      if (!response.write(event({ content: words }))) await once(response);
    response.end(end);
    return;
  }
  if (model === "short") {
    response.end(event({ content: "Still here." }) + end);
    return;
  }
  for (let isFirst = true; !response.destroyed; isFirst = false)
    if (!response.write(kinds[model](isFirst))) await once(response);
});

/** Until more is wanted, or nobody is there any more. */
function once(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
  });
}

server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
