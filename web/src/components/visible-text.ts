// Text of strangers beside which people decide something: what has no shape, or turns the direction of what follows, is
// shown by its number. The gateway does the same to questions.

const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n]]/gv;

export function reveal(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
