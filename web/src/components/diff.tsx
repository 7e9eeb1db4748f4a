// A unified diff in colour. The signs stay, so that colour is not the only difference.
import { ScrollBox } from "./scroll-box.tsx";

export interface DiffProps {
  text: string;
  label: string;
  /** Long lines are broken, so that nothing of them is out of sight. */
  isWrapped?: boolean;
}

export function Diff({ text, label, isWrapped = false }: DiffProps) {
  const width = isWrapped ? "break-words whitespace-pre-wrap" : "min-w-fit whitespace-pre";
  return (
    <ScrollBox label={label} className="max-h-96 rounded-card border border-line bg-code py-2">
      <pre className={`font-mono text-small leading-5 ${isWrapped ? "" : "min-w-fit"}`}>
        {text.split("\n").map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its number.
          <div key={index} className={`px-3.5 ${width} ${toneOf(line)}`}>
            {line || " "}
          </div>
        ))}
      </pre>
    </ScrollBox>
  );
}

export function isDiff(text: string): boolean {
  return /^(@@ |--- |\+\+\+ |diff --git )/m.test(text) && /^[+-]/m.test(text);
}

function toneOf(line: string): string {
  if (/^(\+\+\+|---|diff |index )/.test(line)) return "text-muted";
  if (line.startsWith("@@")) return "text-accent";
  if (line.startsWith("+")) return "bg-good-soft text-good";
  return line.startsWith("-") ? "bg-bad-soft text-bad" : "";
}
