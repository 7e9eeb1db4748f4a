// Foreign text made harmless for a terminal: no control character in it is ever obeyed, each is shown instead.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202d\u202e]/g;

/** What could make a command look like another: directions, and characters without a shape. */
const disguises = /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|[\u2028\u2029\ufff9-\ufffb]/gu;

/** For answers, tool output and names. Newlines and tabs stay. */
export function neutralise(text: string): string {
  return text.replace(controls, show);
}

/** For what a person decides on (a command, a diff): nothing in it can hide or reorder anything. */
export function reveal(text: string): string {
  return neutralise(text).replace(disguises, showCode);
}

/** One line of foreign text: newlines and tabs too are shown. */
export function revealLine(text: string): string {
  return reveal(text).replaceAll("\n", "␊").replaceAll("\t", "␉");
}

function show(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : showCode(character);
}

function showCode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
