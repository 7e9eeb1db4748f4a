// Markdown as React elements, one for each kind of token, so that no text can become markup.
import type { Token, Tokens } from "marked";
import { Fragment, memo, type ReactNode, useEffect, useMemo, useRef } from "react";
import { useWords } from "../../app/preferences.tsx";
import { CodeBlock } from "../code.tsx";
import { PlainText, reveal, ScrollBox } from "../text.tsx";
import {
  decodeEntities,
  isFootnote,
  isMath,
  type MarkdownToken,
  parseMarkdown,
  toSafeImage,
  toSafeLink,
} from "./parse-markdown.ts";

/** While the text grows, only its last blocks render again. Nothing is drawn outside of the box. */
export function Markdown({ text, isSaid = false }: { text: string; isSaid?: boolean }) {
  const blocks = useMemo(() => parseMarkdown(text, isSaid), [text, isSaid]);
  return (
    <div
      data-markdown
      className="flex min-w-0 flex-col gap-3 overflow-clip break-words [overflow-clip-margin:0.5rem]"
    >
      {blocks.map((token, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended.
        token.type === "space" ? null : <Block key={index} token={token} raw={token.raw} />,
      )}
    </div>
  );
}

const mostCells = 5_000;

const Block = memo(
  ({ token }: { token: MarkdownToken; raw: string }) => renderBlock(token),
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);

function renderBlock(token: MarkdownToken): ReactNode {
  if (isMath(token)) return <Formula text={token.text} isBlock={token.isBlock} />;
  if (isFootnote(token))
    return (
      <p data-footnote={token.label} className="text-small text-muted">
        <sup className="mr-1">{token.label}</sup>
        {renderInline(token.tokens)}
      </p>
    );
  switch (token.type) {
    case "heading":
      return <Heading depth={token.depth}>{renderInline(token.tokens)}</Heading>;
    case "code":
      return <CodeBlock code={token.text} language={token.lang ?? ""} />;
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-strong-line pl-4 text-muted">
          {renderBlocks(token.tokens)}
        </blockquote>
      );
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      if (token.header.length * token.rows.length > mostCells) return <Plain text={token.raw} />;
      return <MarkdownTable table={token as Tokens.Table} renderInline={renderInline} />;
    case "hr":
      return <hr className="border-line" />;
    case "paragraph":
      return <p>{renderInline(token.tokens)}</p>;
    case "text":
      return <span>{token.tokens ? renderInline(token.tokens) : decodeEntities(token.text)}</span>;
    case "space":
    case "def":
      return null;
    default:
      return <Plain text={token.raw} />;
  }
}

function Plain({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap">
      <PlainText text={text} />
    </p>
  );
}

function renderBlocks(tokens: readonly MarkdownToken[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other name than its place.
  return tokens?.map((token, index) => <Fragment key={index}>{renderBlock(token)}</Fragment>);
}

/** One level lower than written, because the page has the first. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  const Tag = (["h2", "h3", "h4", "h5", "h6"] as const)[depth - 1] ?? "h6";
  const size = ["text-title", "text-large"][depth - 1] ?? "text-base";
  return <Tag className={`mt-2 font-semibold first:mt-0 ${size}`}>{children}</Tag>;
}

function List({ list }: { list: Tokens.List }) {
  const Tag = list.ordered ? "ol" : "ul";
  const start = list.ordered && list.start !== 1 ? Number(list.start) : undefined;
  return (
    <Tag start={start} className={`flex flex-col gap-1 pl-6 ${list.ordered ? "list-decimal" : "list-disc"}`}>
      {list.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other name than its place.
        <li key={index} className={item.task ? "-ml-6 flex list-none items-baseline gap-2" : undefined}>
          {item.task && <TaskBox isDone={item.checked === true} />}
          <div className="flex min-w-0 flex-col gap-1">
            {renderBlocks(item.tokens.filter(({ type }) => (type as string) !== "checkbox"))}
          </div>
        </li>
      ))}
    </Tag>
  );
}

function TaskBox({ isDone }: { isDone: boolean }) {
  return <input type="checkbox" checked={isDone} disabled readOnly aria-label={isDone ? "✓" : "○"} />;
}

function renderInline(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other name than its place.
  return tokens?.map((token, index) => <Fragment key={index}>{renderInlineToken(token)}</Fragment>);
}

function renderInlineToken(token: MarkdownToken): ReactNode {
  if (isMath(token)) return <Formula text={token.text} isBlock={token.isBlock} />;
  if (isFootnote(token)) return <FootnoteReference label={token.label} />;
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{renderInline(token.tokens)}</strong>;
    case "em":
      return <em>{renderInline(token.tokens)}</em>;
    case "del":
      return <del>{renderInline(token.tokens)}</del>;
    case "codespan":
      return <code className="rounded bg-raised px-1 py-0.5 font-mono text-[0.88em]">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <SafeLink href={token.href}>{renderInline(token.tokens?.map(toLinkText))}</SafeLink>;
    case "image":
      return <SafeImage href={token.href} alt={token.text} />;
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? renderInline(token.tokens) : decodeEntities(token.text);
    default:
      return token.raw;
  }
}

/** An external image would become a link, and a link cannot contain another. */
function toLinkText(token: MarkdownToken): MarkdownToken {
  if (token.type !== "image" || toSafeImage(token.href) !== undefined) return token;
  return { type: "text", raw: token.raw, text: token.text || token.href };
}

/** Leads to the note of the same text. An address would leave the conversation. */
function FootnoteReference({ label }: { label: string }) {
  const words = useWords().shell;
  const find = (button: HTMLElement) =>
    button.closest("[data-markdown]")?.querySelector(`[data-footnote="${label}"]`);
  return (
    <sup>
      <button
        type="button"
        aria-label={words.footnote(label)}
        onClick={({ currentTarget }) => find(currentTarget)?.scrollIntoView({ block: "center" })}
        className="px-1 py-0.5 leading-none text-accent hover:underline"
      >
        {label}
      </button>
    </sup>
  );
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = toSafeLink(decodeEntities(href));
  if (safe === undefined) return <span>{children}</span>;
  return (
    <a
      href={safe}
      title={reveal(safe)}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline decoration-1 underline-offset-2 hover:text-accent-strong"
    >
      {children}
    </a>
  );
}

function SafeImage({ href, alt }: { href: string; alt: string }) {
  const words = useWords().shell;
  const safe = toSafeImage(href);
  if (safe === undefined) return <SafeLink href={href}>{`${words.shownAsLink}: ${alt || href}`}</SafeLink>;
  return (
    <img
      src={safe}
      alt={alt}
      loading="lazy"
      className="max-h-96 max-w-full rounded-card border border-line"
    />
  );
}

interface MarkdownTableProps {
  table: Tokens.Table;
  renderInline(tokens: readonly Token[] | undefined): ReactNode;
}

const aligned = { left: "text-left", center: "text-center", right: "text-right" };

function MarkdownTable({ table, renderInline }: MarkdownTableProps) {
  const words = useWords().shell;
  // Chinese can break anywhere: without a minimum width a cell would be one character wide.
  const classOf = ({ text, align }: Tokens.TableCell) =>
    `px-3 py-1.5 align-top ${text.length > 6 ? "min-w-32" : "min-w-14"} ${aligned[align ?? "left"]}`;
  return (
    <ScrollBox label={words.table} className="max-w-full rounded-card border border-line">
      <table className="w-full text-small">
        <thead className="bg-side">
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other name than its place.
              <th key={column} className={`font-semibold ${classOf(cell)}`}>
                {renderInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {table.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place.
            <tr key={line} className="border-t border-line">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other name than its place.
                <td key={column} className={classOf(cell)}>
                  {renderInline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const longest = 2_000;
/** Browsers lay out nested boxes by recursion. */
const deepest = 40;

function Formula({ text, isBlock }: { text: string; isBlock: boolean }) {
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
  // A formula that may be wider than a phone scrolls.
  const wide = text.length > 40 ? "inline-block max-w-full overflow-x-auto align-middle" : undefined;
  return (
    <span ref={place} className={isBlock ? "block overflow-x-auto py-1 text-center" : wide}>
      {text}
    </span>
  );
}

/** Other formulas stay plain text. */
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
