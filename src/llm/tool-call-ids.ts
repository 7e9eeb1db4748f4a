// Tool-call ids in the alphabet and length that a host takes. A pure function of the id, so that a call and its result
// keep the same one, in every request.
import { hash } from "node:crypto";

export type IdAlphabet = "any" | "nine-alphanumeric" | "plain";

const taken: Record<IdAlphabet, RegExp> = {
  // OpenAI: "string too long. Expected a string with maximum length 40"
  any: /^[\x21-\x7e]{1,40}$/,
  // Mistral: "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9."
  "nine-alphanumeric": /^[A-Za-z0-9]{9}$/,
  // Claude: "String should match pattern '^[a-zA-Z0-9_-]+$'"
  plain: /^[A-Za-z0-9_-]{1,40}$/,
};

export function toWireId(id: string, alphabet: IdAlphabet): string {
  if (taken[alphabet].test(id)) return id;
  if (alphabet === "plain") {
    const plain = id.replaceAll(".", "_");
    if (taken.plain.test(plain)) return plain;
  }
  const digest = hash("sha256", id, "base64").replaceAll(/[^A-Za-z0-9]/g, "");
  return digest.slice(0, alphabet === "nine-alphanumeric" ? 9 : 24);
}
