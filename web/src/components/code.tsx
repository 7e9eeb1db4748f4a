// Code with syntax colours and a copy button, and diffs in colour.
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../app/preferences.tsx";
import { IconButton } from "./button.tsx";
import { copyText } from "./export-text.ts";
import { ScrollBox } from "./text.tsx";

interface CodeBlockProps {
  code: string;
  language?: string;
  /** Wraps long lines, so that nothing is hidden. */
  isWrapped?: boolean;
}

export function CodeBlock({ code, language = "", isWrapped = false }: CodeBlockProps) {
  const words = useWords().shell;
  const [name = ""] = language.split(/[\s{]/);
  const coloured = useHighlighted(code, name);
  return (
    <div className="relative overflow-hidden rounded-card border border-line bg-code">
      {name !== "" && (
        <div className="flex h-9 items-center border-b border-line pl-3.5 font-mono text-tiny text-muted">
          {name}
        </div>
      )}
      <CopyButton text={code} className="absolute top-0.5 right-1 bg-code" />
      <ScrollBox label={name || words.code} className="max-h-[32rem] px-3.5 py-2.5">
        <pre
          className={`font-mono text-small leading-5 ${isWrapped ? "pr-7 break-words whitespace-pre-wrap" : ""}`}
        >
          <code>{coloured ?? code}</code>
        </pre>
      </ScrollBox>
    </div>
  );
}

export function CopyButton({ text, className }: { text: string; className?: string }) {
  const words = useWords().shell;
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1_500);
  };
  return (
    <IconButton
      label={isCopied ? words.copied : words.copy}
      icon={isCopied ? Check : Copy}
      className={className}
      onClick={() => void copy()}
    />
  );
}

const settledMs = 120;
/** The highlighter takes quadratic time for long words and some texts. */
const longest = 12_000;
const longLine = /^.{1000}/m;

/** Undefined while the code grows, is too long, or its language is unknown. */
function useHighlighted(code: string, language: string): ReactNode | undefined {
  const [done, setDone] = useState<{ code: string; nodes: ReactNode }>();
  useEffect(() => {
    if (language === "" || !isColourable(code)) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const { default: highlighter } = await import("highlight.js/lib/common");
      if (!isCurrent || highlighter.getLanguage(language) === undefined) return;
      const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
      const tree = new DOMParser().parseFromString(value, "text/html").body;
      setDone({ code, nodes: toNodes(tree) });
    }, settledMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return done?.code === code ? done.nodes : undefined;
}

export function isColourable(code: string): boolean {
  return code.length <= longest && !longLine.test(code);
}

/** Takes only text and the classes of spans from the highlighter. */
function toNodes(element: Element): ReactNode[] {
  return [...element.childNodes].map((node, index) => {
    if (!(node instanceof Element)) return node.textContent;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: made once for this text.
      <span key={index} className={node.className}>
        {toNodes(node)}
      </span>
    );
  });
}

interface DiffProps {
  text: string;
  label: string;
  /** Wraps long lines, so that nothing is hidden. */
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

export function QuestionDetail({ detail, title }: { detail: string; title: string }) {
  if (isDiff(detail)) return <Diff text={detail} label={title} isWrapped />;
  return <CodeBlock code={detail} isWrapped />;
}
