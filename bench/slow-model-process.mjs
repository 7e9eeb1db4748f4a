// Started by `bench load`: a model that takes its time. Tells its port to the parent and serves until it is killed.
// Environment: FIRST_MS until the first delta, EVERY_MS between two, DELTAS.
import { createServer } from "node:http";

const { FIRST_MS = "200", EVERY_MS = "500", DELTAS = "10" } = process.env;
const chunk = (delta, finish) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const head = chunk({ role: "assistant", content: "" }, null);
const word = chunk({ content: "word " }, null);
const tail = `${chunk({}, "stop")}data: [DONE]\n\n`;

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(head);
    let left = Number(DELTAS);
    const say = () => {
      left -= 1;
      if (left < 0) return response.end(tail);
      response.write(word);
      setTimeout(say, Number(EVERY_MS));
    };
    setTimeout(say, Number(FIRST_MS));
  });
});
server.listen(0, "127.0.0.1", 2048, () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
