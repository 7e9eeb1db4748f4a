// The output of a command with its colours; other terminal sequences are removed.
import { useEffect, useMemo, useRef } from "react";
import { ScrollBox } from "./text.tsx";

interface Run {
  text: string;
  className: string;
}

const colours: Record<number, string> = {
  31: "text-bad",
  32: "text-good",
  33: "text-warn",
  34: "text-[var(--syntax-title)]",
  35: "text-[var(--syntax-keyword)]",
  36: "text-accent",
  90: "text-muted",
};

export function Terminal({ text, label, isLive = false }: { text: string; label: string; isLive?: boolean }) {
  const runs = useMemo(() => parseAnsi(text), [text]);
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text is to be seen.
  useEffect(() => {
    if (isLive) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [runs, isLive]);
  return (
    <ScrollBox
      ref={box}
      label={label}
      className="max-h-80 rounded-card border border-line bg-code px-3.5 py-2.5"
    >
      <pre className="font-mono text-small leading-5 break-words whitespace-pre-wrap">
        {runs.map(({ text: part, className }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a run has no other name than its place.
          <span key={index} className={className || undefined}>
            {part}
          </span>
        ))}
      </pre>
    </ScrollBox>
  );
}

const escapeCharacter = String.fromCharCode(27);
const sequence = new RegExp(
  `${escapeCharacter}(?:\\[([0-9;:?]*)[ -/]*([@-~])|\\][^\\u0007${escapeCharacter}]*(?:\\u0007|${escapeCharacter}\\\\)?|[@-Z\\\\-_])`,
  "g",
);

/** Keeps colours and weight; an overwritten line shows its last state. */
export function parseAnsi(text: string): Run[] {
  const runs: Run[] = [];
  let [colour, weight, from] = ["", "", 0];
  const add = (part: string) => {
    if (part !== "") runs.push({ text: part, className: `${colour} ${weight}`.trim() });
  };
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const clean = lines.map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1)).join("\n");
  for (const match of clean.matchAll(sequence)) {
    add(clean.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] !== "m") continue;
    for (const code of (match[1] ?? "").split(";").map(Number)) {
      if (code === 0) [colour, weight] = ["", ""];
      if (code === 1) weight = "font-semibold";
      if (code === 22) weight = "";
      if ((code >= 30 && code <= 39) || code >= 90) colour = colours[code] ?? colours[code - 60] ?? "";
    }
  }
  add(clean.slice(from));
  return runs;
}
