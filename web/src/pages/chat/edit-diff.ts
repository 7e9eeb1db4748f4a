// The change that a call wants, as a diff: from the texts that it takes out and puts in.
import type { Call } from "../../store/conversation.ts";

const context = 3;

/** Undefined: the call changes no text. */
export function toEditDiff({ arguments: args }: Pick<Call, "arguments">): string | undefined {
  const { path, old_text: before, new_text: after } = args;
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const [old, fresh] = [toLines(before), toLines(after)];
  const head = countSame(old, fresh);
  const tail = countSame(old.slice(head).reverse(), fresh.slice(head).reverse());
  const lines = [
    ...(typeof path === "string" ? [`--- ${path}`, `+++ ${path}`] : []),
    ...old.slice(Math.max(0, head - context), head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + context).map((line) => ` ${line}`),
  ];
  return lines.join("\n");
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function countSame(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  const index = a.slice(0, length).findIndex((line, at) => line !== b[at]);
  return index < 0 ? length : index;
}
