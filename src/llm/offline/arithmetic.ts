// Sums as people write them: + - * / % ^ and brackets, with the signs and words of English and Chinese.

const wordings: Array<[RegExp, string]> = [
  [/(?:multiplied by|times|乘以?|×|·)/gi, "*"],
  [/(?:divided by|除以|÷)/gi, "/"],
  [/(?:to the power of|\*\*|的次方)/gi, "^"],
  [/(?:plus|加上?|＋)/gi, "+"],
  [/(?:minus|减去?|−|－)/gi, "-"],
  [/[（(]/g, "("],
  [/[）)]/g, ")"],
  [/(\d),(?=\d{3}(?!\d))/g, "$1"],
];

const question =
  /^(?:what(?:'s| is)|how much is|calculate|compute|calc|eval|=|计算一?下?|算一?下|请?问)?\s*(.*?)\s*(?:等于多少|等于几|是多少|得多少|=+)?\s*[?？]*$/i;

/** The value of a sum; undefined when the text is none. Division by zero gives an infinity or NaN. */
export function evaluateSum(text: string): number | undefined {
  const [, bare = ""] = question.exec(text) ?? [];
  const sum = wordings.reduce((words, [pattern, sign]) => words.replaceAll(pattern, sign), bare);
  const isSum = /^[\d\s.+\-*/%^()]+$/.test(sum) && /\d[\s)]*[+\-*/%^]/.test(sum);
  // A date, a range or a telephone number is not meant as a difference.
  const isPlainText = bare === text && /^(?:\d+(?:[-/]\d+){2,}|\d{3,}-\d{3,})$/.test(sum);
  if (!isSum || isPlainText) return undefined;
  const parser = { tokens: sum.match(/\d+\.?\d*|\.\d+|[-+*/%^()]/g) ?? [], position: 0 };
  const value = readSum(parser);
  return parser.position === parser.tokens.length ? value : undefined;
}

export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(12)));
}

interface Parser {
  tokens: string[];
  position: number;
}

function readSum(parser: Parser): number | undefined {
  return readChain(parser, { "+": (a, b) => a + b, "-": (a, b) => a - b }, readProduct);
}

function readProduct(parser: Parser): number | undefined {
  return readChain(parser, { "*": (a, b) => a * b, "/": (a, b) => a / b, "%": (a, b) => a % b }, readSigned);
}

function readChain(
  parser: Parser,
  operators: Record<string, (a: number, b: number) => number>,
  readOperand: (parser: Parser) => number | undefined,
): number | undefined {
  let value = readOperand(parser);
  for (;;) {
    const operate = operators[parser.tokens[parser.position] ?? ""];
    if (operate === undefined || value === undefined) return value;
    parser.position++;
    const operand = readOperand(parser);
    value = operand === undefined ? undefined : operate(value, operand);
  }
}

function readSigned(parser: Parser): number | undefined {
  const sign = parser.tokens[parser.position];
  if (sign !== "-" && sign !== "+") return readPower(parser);
  parser.position++;
  const value = readSigned(parser);
  return value === undefined || sign === "+" ? value : -value;
}

function readPower(parser: Parser): number | undefined {
  const base = readAtom(parser);
  if (parser.tokens[parser.position] !== "^") return base;
  parser.position++;
  const exponent = readSigned(parser);
  return base === undefined || exponent === undefined ? undefined : base ** exponent;
}

function readAtom(parser: Parser): number | undefined {
  const token = parser.tokens[parser.position++];
  if (token !== "(") return token === undefined || !/\d/.test(token) ? undefined : Number(token);
  const value = readSum(parser);
  return parser.tokens[parser.position++] === ")" ? value : undefined;
}
