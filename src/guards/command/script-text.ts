// Whether a script of sed or awk only turns text into text: no commands, no other files. What is not understood is not
// taken for plain.

/** Of sed: addresses, substitutions and the plain commands; nothing that runs (`e`) or touches files (`r`, `w`). */
export function isPlainSed(script: string): boolean {
  let rest: string | undefined = script;
  while (rest !== undefined && rest !== "") rest = skipSedCommand(rest.replace(/^[\s;{}]+/, ""));
  return rest === "";
}

const address = String.raw`(\d+(~\d+)?|\$|/(\\[\s\S]|[^\\/\n])*/I?|\+\d+)`;
const addresses = new RegExp(String.raw`^(${address}(\s*,\s*${address})?)?[\s!]*`);

/** What follows the first command; undefined when it is none of the plain ones. */
function skipSedCommand(script: string): string | undefined {
  const body = script.replace(addresses, "");
  const [letter = ""] = body;
  if (letter === "" || letter === "{" || letter === "}") return body.slice(1);
  // Text goes up to the end of the line, and further behind a backslash.
  if (/[aic]/.test(letter)) return body.replace(/^.(\\[\s\S]|[^\\\n])*/, "");
  if (/[bt:]/.test(letter)) return body.replace(/^.\s*\w*/, "");
  if (/[dDgGhHlnNpPqQxzF=]/.test(letter)) return toNextCommand(body.slice(1).replace(/^\d+/, ""));
  if (letter !== "s" && letter !== "y") return undefined;
  const middle = skipPart(body, 2);
  const end = middle === undefined ? undefined : skipPart(body, middle);
  return end === undefined ? undefined : toNextCommand(body.slice(end).replace(/^[gpiIMm0-9]+/, ""));
}

function toNextCommand(rest: string): string | undefined {
  return /^\s*($|[;}\n])/.test(rest) ? rest : undefined;
}

/** Behind the next sign that stands between the parts of a substitution. */
function skipPart(body: string, from: number): number | undefined {
  for (let at = from; at < body.length; at++) {
    if (body[at] === "\\") at++;
    else if (body[at] === body[1]) return at + 1;
  }
  return undefined;
}

/** Of awk: no pipes, no files to write, no other programs or sources. */
export function isPlainAwk(program: string): boolean {
  const bare = program
    .replaceAll(/"(\\[\s\S]|[^"\\])*"/g, '""')
    .replaceAll(/(^|[{(,~!&|;\n]\s*)\/(\\[\s\S]|[^\\/\n])+\//g, "$1R");
  if (/\b(system|getline|close|fflush|ARG[VC]|PROCINFO)\b|[@#]|(?<!\|)\|(?!\|)/.test(bare)) return false;
  // What is compared inside of parentheses is no file.
  const printing = bare.split(/[;{}\n]/).filter((statement) => /\bprintf?\b/.test(statement));
  return printing.every((statement) => !removeParentheses(statement).includes(">"));
}

function removeParentheses(text: string): string {
  const outer = text.replaceAll(/\([^()]*\)/g, "");
  return outer === text ? text : removeParentheses(outer);
}
