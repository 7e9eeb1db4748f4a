// Markdown as chat platforms take it: a small HTML that holds no tag of the text's own, or plain text.
// What is not understood stays as it was written.

const tags = {
  bold: ["<b>", "</b>"],
  italic: ["<i>", "</i>"],
  struck: ["<s>", "</s>"],
} as const;

export function toHtml(markdown: string): string {
  return toBlocks(markdown).map(showBlock).join("\n");
}

/** Without signs that only Markdown gives a meaning; addresses of links are kept in brackets. */
export function toPlain(markdown: string): string {
  return toBlocks(markdown)
    .map((block) => (block.kind === "line" ? toPlainLine(block.text) : block.text))
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

function showBlock(block: Block): string {
  if (block.kind === "table") return `<pre>${escapeHtml(block.text)}</pre>`;
  if (block.kind === "code") {
    const language = block.language === "" ? "" : ` class="language-${escapeHtml(block.language)}"`;
    return `<pre><code${language}>${escapeHtml(block.text)}</code></pre>`;
  }
  const heading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/.exec(block.text)?.[1];
  if (heading !== undefined) return `<b>${showInline(heading)}</b>`;
  const quote = /^\s*>\s?(.*)$/.exec(block.text)?.[1];
  if (quote !== undefined) return `<blockquote>${showInline(quote)}</blockquote>`;
  return showInline(block.text.replace(/^(\s*)[-*+]\s+/, "$1• "));
}

const inline =
  /(`+)([\s\S]*?[^`])\1(?!`)|\*\*(?=\S)([\s\S]*?\S)\*\*|__(?=\S)([\s\S]*?\S)__(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(?<![\w*])\*(?=[^\s*])([^*]*?[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])([^_]*?[^\s_])_(?!\w)|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)/;

function showInline(text: string): string {
  const match = inline.exec(text);
  if (match === null) return escapeHtml(text);
  const [whole, tick, code, bold, bold2, struck, italic, italic2, label, address] = match;
  const before = escapeHtml(text.slice(0, match.index));
  const after = showInline(text.slice(match.index + whole.length));
  if (tick !== undefined) return `${before}<code>${escapeHtml(code ?? "")}</code>${after}`;
  if (address !== undefined)
    return `${before}<a href="${escapeHtml(address)}">${showInline(label ?? "")}</a>${after}`;
  const inner = bold ?? bold2 ?? struck ?? italic ?? italic2 ?? "";
  const kind = (bold ?? bold2) !== undefined ? "bold" : struck !== undefined ? "struck" : "italic";
  const [open, close] = tags[kind];
  return `${before}${open}${showInline(inner)}${close}${after}`;
}

function toPlainLine(line: string): string {
  const text = line.replace(/^\s{0,3}#{1,6}\s+(.*?)\s*#*$/, "$1").replace(/^(\s*)[-*+]\s+/, "$1• ");
  const match = inline.exec(text);
  if (match === null) return text;
  const [whole, , code, bold, bold2, struck, italic, italic2, label, address] = match;
  const inner = toPlainLine(bold ?? bold2 ?? struck ?? italic ?? italic2 ?? label ?? "");
  const shown = address === undefined ? (code ?? inner) : `${inner} (${address})`;
  return text.slice(0, match.index) + shown + toPlainLine(text.slice(match.index + whole.length));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
