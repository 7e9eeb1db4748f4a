// The baseline of `bench start`: the least that a Node script needs to ask a model one question and print the answer.
const body = {
  model: "bench",
  stream: true,
  messages: [{ role: "user", content: "hi" }],
};
const response = await fetch(`${process.argv[2]}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer bench" },
  body: JSON.stringify(body),
});
let text = "";
for (const line of (await response.text()).split("\n")) {
  if (!line.startsWith("data: {")) continue;
  text += JSON.parse(line.slice("data: ".length)).choices[0]?.delta?.content ?? "";
}
process.stdout.write(`${text}\n`);
