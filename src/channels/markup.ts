// Markdown as chat platforms take it: a small HTML that holds no tag of the text's own, Slack's mrkdwn, or plain text.
// What is not understood stays as it was written.

/** How a platform writes what Markdown says. */
interface Dialect {
  escape(text: string): string;
  bold(inner: string): string;
  italic(inner: string): string;
  struck(inner: string): string;
  code(text: string): string;
  link(label: string, address: string): string;
  codeBlock(text: string, language: string): string;
  table(text: string): string;
  quote(inner: string): string;
}

const html: Dialect = {
  escape: escapeHtml,
  bold: (inner) => `<b>${inner}</b>`,
  italic: (inner) => `<i>${inner}</i>`,
  struck: (inner) => `<s>${inner}</s>`,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  link: (label, address) => `<a href="${escapeHtml(address)}">${label}</a>`,
  codeBlock(text, language) {
    const named = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
    return `<pre><code${named}>${escapeHtml(text)}</code></pre>`;
  },
  table: (text) => `<pre>${escapeHtml(text)}</pre>`,
  quote: (inner) => `<blockquote>${inner}</blockquote>`,
};

/** Slack's: three signs are escaped, and marks are single. */
const mrkdwn: Dialect = {
  escape: escapeMrkdwn,
  bold: (inner) => `*${inner}*`,
  italic: (inner) => `_${inner}_`,
  struck: (inner) => `~${inner}~`,
  code: (text) => `\`${escapeMrkdwn(text)}\``,
  link: (label, address) => `<${escapeMrkdwn(address).replaceAll("|", "%7C")}|${label}>`,
  codeBlock: (text) => `\`\`\`\n${escapeMrkdwn(text)}\n\`\`\``,
  table: (text) => `\`\`\`\n${escapeMrkdwn(text)}\n\`\`\``,
  quote: (inner) => `> ${inner}`,
};

/** Without signs that only Markdown gives a meaning; addresses of links are kept in brackets. */
const plain: Dialect = {
  escape: (text) => text,
  bold: (inner) => inner,
  italic: (inner) => inner,
  struck: (inner) => inner,
  code: (text) => text,
  link: (label, address) => `${label} (${address})`,
  codeBlock: (text) => text,
  table: (text) => text,
  quote: (inner) => `> ${inner}`,
};

export function toHtml(markdown: string): string {
  return convert(markdown, html);
}

export function toMrkdwn(markdown: string): string {
  return convert(markdown, mrkdwn);
}

export function toPlain(markdown: string): string {
  return convert(markdown, plain);
}

function convert(markdown: string, dialect: Dialect): string {
  return toBlocks(markdown)
    .map((block) => showBlock(block, dialect))
    .join("\n");
}

type Block =
  | { kind: "code"; text: string; language: string }
  | { kind: "table"; text: string }
  | { kind: "line"; text: string };

function toBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let fence: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence.mark) && mark[2] === "") {
        blocks.push({ kind: "code", text: fence.lines.join("\n"), language: fence.language });
        fence = undefined;
      } else fence.lines.push(line);
    } else if (mark !== null) {
      fence = { mark: mark[1] ?? "```", language: mark[2] ?? "", lines: [] };
    } else {
      pushLine(blocks, line);
    }
  }
  if (fence !== undefined)
    blocks.push({ kind: "code", text: fence.lines.join("\n"), language: fence.language });
  return blocks;
}

function pushLine(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  if (!/^\s*\|.*\|\s*$/.test(line)) blocks.push({ kind: "line", text: line });
  else if (/^[\s|:-]+$/.test(line)) return;
  else if (last?.kind === "table") last.text += `\n${line.trim()}`;
  else blocks.push({ kind: "table", text: line.trim() });
}

function showBlock(block: Block, dialect: Dialect): string {
  if (block.kind === "table") return dialect.table(block.text);
  if (block.kind === "code") return dialect.codeBlock(block.text, block.language);
  const heading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/.exec(block.text)?.[1];
  if (heading !== undefined) return dialect.bold(showInline(heading, dialect));
  const quote = /^\s*>\s?(.*)$/.exec(block.text)?.[1];
  if (quote !== undefined) return dialect.quote(showInline(quote, dialect));
  return showInline(block.text.replace(/^(\s*)[-*+]\s+/, "$1• "), dialect);
}

const inline =
  /(`+)([\s\S]*?[^`])\1(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|__(?=\S)([\s\S]*?\S)__(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(?<![\w*])\*(?=[^\s*])([^*]*?[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])([^_]*?[^\s_])_(?!\w)|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)/;

function showInline(text: string, dialect: Dialect): string {
  const match = inline.exec(text);
  if (match === null) return dialect.escape(text);
  const [whole, tick, code, bold, bold2, struck, italic, italic2, label, address] = match;
  const before = dialect.escape(text.slice(0, match.index));
  const after = showInline(text.slice(match.index + whole.length), dialect);
  const shown = () => {
    if (tick !== undefined) return dialect.code(code ?? "");
    if (address !== undefined) return dialect.link(showInline(label ?? "", dialect), address);
    const inner = showInline(bold ?? bold2 ?? struck ?? italic ?? italic2 ?? "", dialect);
    if ((bold ?? bold2) !== undefined) return dialect.bold(inner);
    return struck === undefined ? dialect.italic(inner) : dialect.struck(inner);
  };
  return before + shown() + after;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function escapeMrkdwn(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
