// Vercel's AI SDK: its OpenAI provider asks /v1/responses.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, Output, streamText } from "ai";
import * as z from "zod";

const model = (baseURL: string) =>
  createOpenAI({ baseURL, apiKey: process.env.NANOBOT_API_KEY ?? "any" })("nanobot");

export async function generate(baseURL: string, prompt: string): Promise<string> {
  const { text } = await generateText({ model: model(baseURL), prompt });
  return text;
}

export async function streamPieces(baseURL: string, prompt: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of streamText({ model: model(baseURL), prompt }).textStream) pieces.push(piece);
  return pieces;
}

/** An answer that fits a schema. */
export async function generateDate(baseURL: string, text: string): Promise<{ day: string }> {
  const { output } = await generateText({
    model: model(baseURL),
    prompt: `Which day is meant? ${text}`,
    output: Output.object({ schema: z.object({ day: z.string() }) }),
  });
  return output;
}
