// Sentences that the gateway made in English, in the language of the page; until they are there, as they came.
import { useQuery } from "./use-query.ts";

export function useRetold(texts: string[], about: "question"): string[] {
  const { data } = useQuery("chat.retell", { texts, about });
  return data?.texts ?? texts;
}
