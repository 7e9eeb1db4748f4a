// Rows of a CSV text: quotes, line breaks in them, and the separator that its first line uses.

export function parseCsv(text: string, most: number): { rows: string[][]; isMore: boolean } {
  const separator = findSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") {
      endCell();
      rows.push(row);
      row = [];
      if (rows.length >= most) return { rows, isMore: at + 1 < text.length };
    } else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return { rows, isMore: false };
}

function findSeparator(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const counts = [",", ";", "\t"].map((mark) => [first.split(mark).length, mark] as const);
  return counts.toSorted(([a], [b]) => b - a)[0]?.[1] ?? ",";
}
