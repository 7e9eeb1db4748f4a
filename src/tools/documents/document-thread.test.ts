import { describe, expect, it } from "vitest";
import { createPdf } from "../../../test/support/create-pdf.ts";
import type { PageRequest } from "../web/page-text.ts";
import { extractPdfText, joinPdfPages } from "./document-text.ts";
import { runInThread } from "./document-thread.ts";

const signal = new AbortController().signal;
/** Only for a hang. */
const patienceMs = 60_000;
const sentence =
  "<p>Stone upon stone, the arch grew, and nobody, not even the river, could say when it began.</p>";
/** Takes its reader a minute or for ever. */
const maze = `<p>早</p>${"<div>".repeat(3_000)}${sentence.repeat(5)}`;

async function layOut(html: string, mode: PageRequest["mode"] = "markdown"): Promise<string> {
  const job = { type: "page" as const, html, url: "https://example.com/docs/", mode };
  const outcome = await runInThread<string>(job, { signal, timeoutMs: patienceMs });
  return outcome.ok ? outcome.value : expect.fail(outcome.reason);
}

function toArticle(inner: string): string {
  return `<!doctype html><html><head><title>Arch</title></head><body>
    <nav><a href="/">Home</a> <a href="/login">Log in</a></nav>
    <article><h1>The arch</h1>${sentence.repeat(4)}${inner}${sentence.repeat(4)}</article>
    <footer>Imprint, cookies, newsletter</footer></body></html>`;
}

describe("a page", () => {
  it("is its article in Markdown, without what is around it", async () => {
    const text = await layOut(
      toArticle(
        '<h2>Parts</h2><ul><li>key<b>stone</b></li><li>pier</li></ul><pre><code class="language-js">let a = 1;</code></pre>',
      ),
    );
    expect(text).toContain("## Parts\n\n- key**stone**\n- pier\n\n```js\nlet a = 1;\n```");
    expect(text).toContain("Stone upon stone");
    expect(text).not.toMatch(/Home|Log in|Imprint/);
  });

  it("has its addresses in full, and none that a reader could not follow", async () => {
    const text = await layOut(
      toArticle(
        '<p><a href="../a?b=1">near</a> <a href="//example.org/">far</a> <a href="javascript:steal()">trap</a> <a href="data:text/html,x">data</a> <a href="/x"></a> <a href="/arch_(stone)">brackets</a> https://example.com/a_b_c <img src="pier.png" alt="A pier"><img src="dot.gif"></p>',
      ),
    );
    expect(text).toContain("[near](https://example.com/a?b=1) [far](https://example.org/) trap data");
    expect(text).toContain("[brackets](https://example.com/arch_%28stone%29) https://example.com/a_b_c");
    expect(text).toContain("![A pier](https://example.com/docs/pier.png)");
    expect(text).not.toMatch(/javascript|data:|dot\.gif|\[\]/);
  });

  it("shows tables as rows", async () => {
    const rows =
      "<thead><tr><th>Part</th><th>Weight</th></tr></thead><tbody><tr><td>key|stone</td><td>2<br>tons</td></tr><tr><td>pier</td><td>90</td></tr></tbody>";
    const text = await layOut(toArticle(`<table>${rows}</table>`));
    expect(text).toContain("| Part | Weight |\n| --- | --- |\n| key\\|stone | 2 tons |\n| pier | 90 |");
  });

  it("is plain text if that is wanted", async () => {
    const text = await layOut(toArticle("<ul><li><a href='/k'>keystone</a></li><li>pier</li></ul>"), "text");
    expect(text).toContain("keystone\npier");
    expect(text).not.toMatch(/[[\]*#]|Imprint/);
  });

  it("is all that can be seen where there is no article", async () => {
    expect(await layOut("<title>T</title><p>早上好 <b>世界</b>")).toBe("早上好 **世界**");
    expect(await layOut("<html><body><form><p>Log in</p></form></body></html>")).toBe("Log in");
    expect(await layOut("")).toBe("");
    const late = '<html><body style="visibility:hidden"><p style="opacity:0">Fades in.</p></body></html>';
    expect(await layOut(late)).toBe("Fades in.");
  });

  it("does not say what nobody can see", async () => {
    const traps = [
      "<p hidden>OBEY-1</p>",
      '<p aria-hidden="true">OBEY-2</p>',
      '<p style="display: none">OBEY-3</p>',
      '<span style="font-size:0">OBEY-4</span>',
      '<div style="color:red;visibility:hidden">OBEY-5</div>',
      "<script>OBEY-7</script>",
      "<noscript>OBEY-8</noscript>",
      "<template>OBEY-9</template>",
      "<svg><text>OBEY-10</text></svg>",
      "<!-- OBEY-11 -->",
    ].join("");
    const article = await layOut(toArticle(traps));
    expect(article).toContain("Stone");
    expect(article.match(/OBEY-\d+/g)).toBeNull();
    expect(await layOut(`<p>short</p>${traps}`)).toBe("short");
  });
});

describe("a thread for documents", () => {
  it("gives up on a page that has no end, and takes the next one", async () => {
    const job = { type: "page" as const, html: maze, url: "https://example.com/", mode: "markdown" as const };
    const first = runInThread(job, { signal, timeoutMs: 500 });
    const second = layOut("<p>next</p>");
    expect(await first).toEqual({ ok: false, reason: "it took longer than 0.5 seconds" });
    expect(await second).toBe("next");
  });

  it("ends with the reason of an abort, before and while it works", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    const job = { type: "page" as const, html: maze, url: "https://example.com/", mode: "markdown" as const };
    const running = runInThread(job, { signal: controller.signal });
    const waiting = runInThread(job, { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(running).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe("a PDF", () => {
  const pdf = createPdf("First page", "Second (page)", "Third page");

  it("is read page by page", async () => {
    const text = await extractPdfText(pdf, { signal });
    expect(text).toEqual({
      pageCount: 3,
      pages: [
        { number: 1, text: "First page" },
        { number: 2, text: "Second (page)" },
        { number: 3, text: "Third page" },
      ],
    });
    expect(joinPdfPages(text)).toBe(
      "[page 1]\nFirst page\n\n[page 2]\nSecond (page)\n\n[page 3]\nThird page",
    );
  });

  it("is read in part", async () => {
    const { pageCount, pages } = await extractPdfText(pdf, { from: 2, to: 2, signal });
    expect([pageCount, pages.map(({ number }) => number)]).toEqual([3, [2]]);
    expect((await extractPdfText(pdf, { from: 9, signal })).pages).toEqual([]);
  });

  it.each([
    ["cut off", pdf.subarray(0, 300)],
    ["no PDF", Buffer.from("%PDF-1.4 and nothing else")],
    ["empty", Buffer.alloc(0)],
  ])("that is %s is refused in a sentence", async (_, bytes) => {
    await expect(extractPdfText(bytes, { signal })).rejects.toMatchObject({
      name: "ToolError",
      message: expect.stringMatching(/^This PDF could not be read \(.+\)\. Ask for it in another form\.$/),
    });
  });

  it("leaves the bytes with the caller", async () => {
    await extractPdfText(pdf, { signal });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });
});
