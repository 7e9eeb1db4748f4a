// A formula, as MathML that the browser sets. Its library is loaded with the first one.
import { useEffect, useRef } from "react";

const longest = 2_000;
/** A browser draws boxes in boxes by recursion. */
const deepest = 40;

export function Formula({ text, isBlock }: { text: string; isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isDrawable(text)) return;
    let isCurrent = true;
    void import("temml").then(({ default: temml }) => {
      if (!isCurrent || place.current === null) return;
      // `trust` stays off: no links and no classes from the text.
      const options = {
        displayMode: isBlock,
        throwOnError: false,
        trust: false,
        maxExpand: 500,
        maxSize: [20, 200],
      };
      temml.render(text, place.current, options as Parameters<typeof temml.render>[2]);
    });
    return () => {
      isCurrent = false;
    };
  }, [text, isBlock]);
  // What may be wider than a phone scrolls by itself.
  const wide = text.length > 40 ? "inline-block max-w-full overflow-x-auto align-middle" : undefined;
  return (
    <span ref={place} className={isBlock ? "block overflow-x-auto py-1 text-center" : wide}>
      {text}
    </span>
  );
}

/** Others stay the text that they are. */
export function isDrawable(text: string): boolean {
  return text.length <= longest && depthOf(text) <= deepest;
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [sign] of text.matchAll(/[{}]|\\left|\\right|\\begin|\\end/g)) {
    depth += sign === "}" || sign === "\\right" || sign === "\\end" ? -1 : 1;
    most = Math.max(most, depth);
  }
  return most;
}
