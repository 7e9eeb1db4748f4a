// What a word that is being typed could become: a slash command at the beginning, a skill behind a dollar.
import { useMemo, useState } from "react";
import { useQuery } from "../../wire/use-query.ts";

export interface Choice {
  /** What is put in, such as `/undo`. */
  word: string;
  about: string;
}

export interface Completion {
  choices: readonly Choice[];
  chosen: number;
  move(step: number): void;
  /** The text with the choice in place of the word before the caret, and where the caret is then. */
  accept(choice: Choice): { text: string; caret: number };
  dismiss(): void;
}

const mostChoices = 8;

/** The word before the caret that may be completed. */
export function findWord(text: string, caret: number): string | undefined {
  const before = text.slice(0, caret);
  return /^\/[\w-]*$/.exec(before)?.[0] ?? /(?:^|\s)(\$[\w-]*)$/.exec(before)?.[1];
}

export function useCompletion(text: string, caret: number): Completion {
  const word = findWord(text, caret);
  const { data } = useQuery("chat.complete", {}, { topic: "skills", isEnabled: word !== undefined });
  const [chosen, setChosen] = useState({ word: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const choices = useMemo(() => {
    if (word === undefined || data === undefined || word === dismissed) return [];
    const isCommand = word.startsWith("/");
    const all = (isCommand ? data.commands : data.skills).map(({ name, about }) => ({
      word: `${isCommand ? "/" : "$"}${name.replace(/^[/$]/, "")}`,
      about,
    }));
    return all.filter((choice) => choice.word.startsWith(word)).slice(0, mostChoices);
  }, [word, data, dismissed]);
  const index = chosen.word === word ? Math.min(chosen.index, choices.length - 1) : 0;
  return {
    choices,
    chosen: index,
    move: (step) => setChosen({ word: word ?? "", index: (index + step + choices.length) % choices.length }),
    accept(choice) {
      const start = caret - (word?.length ?? 0);
      const put = `${choice.word} `;
      return { text: text.slice(0, start) + put + text.slice(caret), caret: start + put.length };
    },
    dismiss: () => setDismissed(word),
  };
}
