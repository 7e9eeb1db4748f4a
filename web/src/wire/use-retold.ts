// Sentences that the gateway said in English, in the language of the page; until they are there, as they came.
import { useWords } from "../words/use-words.ts";
import { useQuery } from "./use-query.ts";

export function useRetold(texts: string[], about: "question" | "turn"): string[] {
  const language = useWords().skills.spoken;
  const { data } = useQuery("chat.retell", { texts, about, language }, { isEnabled: language !== "english" });
  return data?.texts ?? texts;
}
