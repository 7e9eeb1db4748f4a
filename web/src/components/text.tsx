// Text as it was written, with hidden characters made visible, and the box it scrolls in.
import { Fragment, type ReactNode, type Ref } from "react";

export function PlainText({ text }: { text: string }) {
  const pieces = toPieces(text);
  if (pieces.length <= 1) return text;
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place.
    <span key={index} className="block">
      {piece}
    </span>
  ));
}

/** Cut at the end of a line or, in very long lines, of a word. Each piece is shown as a line. */
export function toPieces(text: string): string[] {
  const pieces = text.match(/.{1,4000}(?:\n|$)|.{1,4000}(?=\s)|.{1,4000}/gsu) ?? [];
  return pieces.map((piece, index) => (index < pieces.length - 1 ? piece.replace(/\n$/, "") : piece));
}

const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n]]/gv;

export function reveal(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

interface ScrollBoxProps {
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function ScrollBox({ label, className = "", ref, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section ref={ref} tabIndex={0} aria-label={label} className={`overflow-auto ${className}`}>
      {children}
    </section>
  );
}

/** With what a search has found in it marked; `marks` in order, each with its end. */
export function Marked({ text, marks }: { text: string; marks: ReadonlyArray<readonly [number, number]> }) {
  return (
    <>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className="rounded bg-accent-soft text-accent">{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}

/** The text around the words of a search, with the words marked. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const mark = findMark(text, query);
  if (mark === undefined) return text;
  const { at, length } = mark;
  const start = Math.max(0, at - 40);
  return (
    <>
      {start > 0 && "…"}
      {text.slice(start, at)}
      <mark className="rounded bg-accent-soft text-accent">{text.slice(at, at + length)}</mark>
      {text.slice(at + length)}
    </>
  );
}

/** The whole query, or the first of its words that is there. */
function findMark(text: string, query: string): { at: number; length: number } | undefined {
  const lower = text.toLowerCase();
  return [query.trim(), ...query.split(/\s+/)]
    .filter((word) => word !== "")
    .map((word) => ({ at: lower.indexOf(word.toLowerCase()), length: word.length }))
    .find(({ at }) => at >= 0);
}
