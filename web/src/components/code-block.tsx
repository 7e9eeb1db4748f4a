// Code with its language, a button to copy it, and colours that come when there is time for them.
import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { ScrollBox } from "./scroll-box.tsx";

export interface CodeBlockProps {
  code: string;
  language?: string;
  /** Long lines are broken, so that nothing of them is out of sight. */
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
/** The highlighter takes the square of a long word, and of some texts as a whole. */
const longest = 12_000;
const longLine = /^.{1000}/m;

/** Undefined while the code still grows, is too long, or is in no known language. */
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

/** Only text and the classes of spans are taken from what the highlighter wrote. */
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
