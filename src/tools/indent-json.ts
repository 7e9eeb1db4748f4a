// JSON with line breaks, every token as it was written: numbers keep all of their digits, keys their order.

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
/** Deeper nesting is not indented further: the text would grow with the square of it. */
const deepest = 20;

/** What is no JSON stays as it is. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  const pieces: string[] = [];
  let depth = 0;
  const breakLine = (step: number) => {
    depth += step;
    return `\n${"  ".repeat(Math.min(depth, deepest))}`;
  };
  for (const [piece] of text.matchAll(token)) {
    if (piece === "{" || piece === "[") pieces.push(piece, breakLine(1));
    else if (piece === "}" || piece === "]") pieces.push(breakLine(-1), piece);
    else if (piece === ",") pieces.push(piece, breakLine(0));
    else pieces.push(piece === ":" ? ": " : piece);
  }
  // No string holds a line break of its own.
  return pieces.join("").replaceAll(/([{[])\n *\n *([}\]])/g, "$1$2");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    // Nested too deeply even for the parser.
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}
