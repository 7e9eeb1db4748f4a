// Started by loopback-model.ts: tells its port to the parent and serves until it is killed.
import { createServer } from "node:http";

const chunk = (delta, finish) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const words = ["Hello ", "from ", "the ", "loopback."];
const body = [
  chunk({ role: "assistant", content: "" }, null),
  ...words.map((content) => chunk({ content }, null)),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
].join("");

const slowWords = 1_000;
const slowMs = 20;

const server = createServer(async (request, response) => {
  let asked = "";
  for await (const part of request) asked += part;
  response.writeHead(200, { "content-type": "text/event-stream" });
  // Asked for by a benchmark that does something meanwhile.
  if (asked.includes("a slow answer"))
    for (let word = 0; word < slowWords && !response.destroyed; word++) {
      response.write(chunk({ content: word % 20 === 19 ? "word.\n\n" : "word " }, null));
      await new Promise((resolve) => setTimeout(resolve, slowMs));
    }
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
