// Started by `bench load`: asks `turns` questions at a steady rate, whether or not the earlier ones are answered, and
// tells its parent when each first word and each end came, in ms after the moment at which it was due.
const { url, turns, rate, sessions } = JSON.parse(process.argv[2]);
const firsts = [];
const ends = [];
let failures = 0;
let streaming = 0;
let mostStreaming = 0;

async function ask(number, due) {
  streaming += 1;
  mostStreaming = Math.max(mostStreaming, streaming);
  const body = {
    model: "bench",
    stream: true,
    messages: [{ role: "user", content: "hi" }],
    ...(sessions > 0 && { user: `load-${number % sessions}` }),
  };
  const headers = { "content-type": "application/json", authorization: "Bearer bench" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const decoder = new TextDecoder();
  let first;
  let text = "";
  for await (const bytes of response.body) {
    const piece = decoder.decode(bytes, { stream: true });
    if (first === undefined && piece.includes("word")) first = performance.now() - due;
    text = (text + piece).slice(-40);
  }
  streaming -= 1;
  if (!response.ok || first === undefined || !text.includes("[DONE]")) throw new Error("no whole answer");
  firsts.push(first);
  ends.push(performance.now() - due);
}

const start = performance.now();
const asked = [];
for (let number = 0; number < turns; number++) {
  const due = start + (number * 1000) / rate;
  while (performance.now() < due)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  asked.push(ask(number, due).catch(() => (failures += 1)));
}
await Promise.all(asked);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const cpuMs = (userCPUTime + systemCPUTime) / 1000;
process.send({ firsts, ends, failures, mostStreaming, cpuMs, peakMb: maxRSS / 1024 }, () => process.exit(0));
