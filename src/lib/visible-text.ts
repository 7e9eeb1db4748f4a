// Foreign text made safe to show: control characters are shown instead of obeyed.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * What could make a command look like another: characters without a shape, or with one of a font's own; directions;
 * spaces that are none to a shell; marks that are drawn around or over their neighbours.
 */
const disguises =
  /[\p{C}--[\t\n]]|[\p{Z}--[ ]]|\p{Default_Ignorable_Code_Point}|\p{Me}|\u2800|(?<=\p{M}{2})\p{M}/gv;

/** Wide gaps push what follows them out of sight. */
const gaps: Array<[RegExp, string]> = [
  [/ {40,}/g, "␠"],
  [/\t{12,}/g, "␉"],
  [/\n(?:[ \t]*\n){5,}/g, "␊"],
];

/** For answers, tool output and names. Newlines and tabs stay. */
export function neutralise(text: string): string {
  return text.replace(controls, show);
}

/** For platforms that would obey, refuse or hide them: control characters are taken out. Newlines and tabs stay. */
export function withoutControls(text: string): string {
  const clean = text.replaceAll(/\r\n?/g, "\n").replace(controls, "");
  // A platform takes no empty text.
  return clean.trim() === "" && text.trim() !== "" ? "…" : clean;
}

/** For what a person decides on (a command, a diff): nothing in it can hide or reorder anything. */
export function reveal(text: string): string {
  const visible = neutralise(text).replace(disguises, showCode);
  return gaps.reduce((shown, [gap, sign]) => shown.replace(gap, (found) => showGap(found, sign)), visible);
}

/** One line of foreign text: newlines and tabs too are shown. */
export function revealLine(text: string): string {
  return reveal(text).replaceAll("\n", "␊").replaceAll("\t", "␉");
}

function showGap(gap: string, sign: string): string {
  const isLines = sign === "␊";
  const count = isLines ? gap.split("\n").length - 1 : gap.length;
  return isLines ? `\n<${sign}×${count}>\n` : `<${sign}×${count}>`;
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
