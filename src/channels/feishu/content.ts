// A Markdown text as a message of Feishu: short words as text, what has forms as a post, tables and code as a card.

export interface Content {
  msg_type: "text" | "post" | "interactive";
  /** JSON within JSON, as Feishu wants it. */
  content: string;
}

const longestText = 200;
const longestPost = 2_000;
const code = /^\s*(```|~~~)/m;
const table = /^\s*\|.*\|\s*$/m;
const heading = /^\s{0,3}#{1,6}\s/m;
const forms = /[*_`~#>[\]|]|^\s*([-+]|\d+[.)])\s|https?:\/\//m;

export function toContent(markdown: string): Content {
  const text = withoutMentions(markdown);
  const isLong = text.length > longestPost;
  if (isLong || code.test(text) || table.test(text) || heading.test(text)) return toCard(text);
  if (text.length <= longestText && !forms.test(text))
    return { msg_type: "text", content: JSON.stringify({ text }) };
  return toPost(text);
}

/** What can be edited again and again while it is written. */
export function toCard(markdown: string): Content {
  const card = {
    schema: "2.0",
    config: { update_multi: true },
    body: { elements: [{ tag: "markdown", content: withoutMentions(markdown) }] },
  };
  return { msg_type: "interactive", content: JSON.stringify(card) };
}

export function toPost(markdown: string): Content {
  const post = { zh_cn: { content: [[{ tag: "md", text: withoutMentions(markdown) }]] } };
  return { msg_type: "post", content: JSON.stringify(post) };
}

/** Nobody is called by what a model wrote: `<at id=all></at>` would ring in the whole group. */
function withoutMentions(text: string): string {
  return text.replaceAll(/<(\/?)(at)\b/gi, "＜$1$2");
}
