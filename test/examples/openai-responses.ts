// The Responses API of the official client, and answers that have a form.
import type OpenAI from "openai";

export async function respond(client: OpenAI, input: string): Promise<string> {
  const { output_text } = await client.responses.create({
    model: "nanobot",
    input,
    instructions: "Be brief.",
  });
  return output_text;
}

export async function respondInPieces(client: OpenAI, input: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const event of await client.responses.create({ model: "nanobot", input, stream: true }))
    if (event.type === "response.output_text.delta") pieces.push(event.delta);
  return pieces;
}

/** The client runs its own tool, and asks again with the result. */
export async function useTool(
  client: OpenAI,
  question: string,
  run: (city: string) => string,
): Promise<string> {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const tool = {
    type: "function",
    name: "weather",
    description: "Weather of a city",
    parameters,
    strict: true,
  } as const;
  const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: question }];
  const first = await client.responses.create({ model: "nanobot", input, tools: [tool] });
  for (const item of first.output) {
    if (item.type !== "function_call") continue;
    const { city } = JSON.parse(item.arguments) as { city: string };
    input.push(item, { type: "function_call_output", call_id: item.call_id, output: run(city) });
  }
  return (await client.responses.create({ model: "nanobot", input, tools: [tool] })).output_text;
}

/** An answer that fits a schema. */
export async function readDate(client: OpenAI, text: string): Promise<{ day: string }> {
  const schema = {
    type: "object",
    properties: { day: { type: "string" } },
    required: ["day"],
    additionalProperties: false,
  };
  const completion = await client.chat.completions.create({
    model: "nanobot",
    messages: [{ role: "user", content: `Which day is meant? ${text}` }],
    response_format: { type: "json_schema", json_schema: { name: "date", strict: true, schema } },
  });
  return JSON.parse(completion.choices[0]?.message.content ?? "") as { day: string };
}
