// Words of daily life that speak of the same thing: a question about a pet is answered by a sentence about a dog.
import { stem } from "./stem.ts";

/** What is asked for, then what an answer may say instead. */
const groups = `
pet: dog puppy cat kitten hamster rabbit parrot turtle fish bird
`;
let index: Map<string, string[]> | undefined;

/** Tokens that may stand in an answer in place of this one. */
export function relatedTo(token: string): readonly string[] {
  index ??= createIndex();
  return index.get(token) ?? [];
}

function createIndex(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of groups.trim().split("\n")) {
    const [head = "", rest = ""] = line.split(":");
    found.set(stem(head), rest.trim().split(" ").map(stem));
  }
  return found;
}
