// The official client of OpenAI, talking to the assistant.
import OpenAI from "openai";

export function connect(baseURL = "http://127.0.0.1:18790/v1"): OpenAI {
  return new OpenAI({ baseURL, apiKey: process.env.NANOBOT_API_KEY ?? "any" });
}

/** Nothing of it is kept: the next question knows nothing of this one. */
export async function ask(client: OpenAI, question: string): Promise<string> {
  const completion = await client.chat.completions.create({
    model: "nanobot",
    messages: [
      { role: "system", content: "Answer in one sentence." },
      { role: "user", content: question },
    ],
  });
  return completion.choices[0]?.message.content ?? "";
}

/** In a session: the server remembers what was said in it. */
export async function talk(client: OpenAI, text: string, write: (piece: string) => void): Promise<void> {
  const stream = await client.chat.completions.create(
    {
      model: "nanobot",
      messages: [{ role: "user", content: text }],
      stream: true,
    },
    { headers: { "x-session-id": "desk" } },
  );
  for await (const { choices } of stream) write(choices[0]?.delta.content ?? "");
}
