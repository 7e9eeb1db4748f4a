// Looks into words and expressions for what they hide: commands in substitutions, and places where bash counts, because
// there it also runs what stands in a value such as `a[$(id)]`.
import type { Script, SyntaxNode, Word } from "unbash";

export interface WordVisitor {
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
  /** False ends the visit. */
  enter(): boolean;
  /** Commands; `isCounted`: bash counts with what they print. */
  script(script: Script, isCounted: boolean): void;
  /** What cannot be read. */
  gap(): void;
  /** Text that bash counts with, or a word whose value it counts with. */
  count(value: string | Word): void;
  countInto(name: string): void;
}

export function visitWords(node: SyntaxNode, visitor: WordVisitor): void {
  if (!visitor.enter()) return;
  const isCounted = node.type === "ArithmeticCommandExpansion";
  const script = node.type === "Script" ? node : isCounted ? node.script : undefined;
  if (script !== undefined) {
    visitor.script(script, isCounted);
    return;
  }
  const inside = "script" in node ? [node.script] : "expression" in node ? [node.expression] : [];
  if (inside.includes(undefined)) visitor.gap();
  for (const value of findCounted(node)) visitor.count(value);
  if (node.type === "ArithmeticBinary" && node.left.type === "ArithmeticWord") {
    if (/^[^=!<>]*=$/.test(node.operator)) visitor.countInto(node.left.value);
  }
  visitor.forEachChild(node, (child) => visitWords(child, visitor));
}

function findCounted(node: SyntaxNode): Array<string | Word> {
  switch (node.type) {
    case "ArithmeticWord":
      return [node.value];
    case "ParameterExpansion":
      return node.index === undefined ? [] : [node.index.text];
    case "Assignment":
      return node.index === undefined ? [] : [node.index.text];
    case "Slice":
      return [node.offset.text, node.length?.text ?? ""];
    case "TestUnary":
      return node.operator === "-v" ? [node.operand.text] : [];
    case "TestBinary":
      return /^-(eq|ne|[lg][te])$/.test(node.operator) ? [node.left, node.right] : [];
    default:
      return [];
  }
}
