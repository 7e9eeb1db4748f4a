// A unified diff in colour. The signs stay, so that colour is not the only difference.
import { ScrollBox } from "./scroll-box.tsx";

export function Diff({ text, label }: { text: string; label: string }) {
  return (
    <ScrollBox label={label} className="max-h-96 rounded-card border border-line bg-code py-2">
      <pre className="min-w-fit font-mono text-small leading-5">
        {text.split("\n").map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its number.
          <div key={index} className={`min-w-fit px-3.5 whitespace-pre ${toneOf(line)}`}>
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
