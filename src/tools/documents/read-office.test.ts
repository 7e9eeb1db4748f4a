import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDocx, createPptx, createXlsx, paragraph } from "../../../test/support/create-office.ts";
import { createZip } from "../../../test/support/create-zip.ts";
import { walkXml } from "./office-xml.ts";
import { readOffice } from "./read-office.ts";

const maxCharacters = 1_000_000;

function read(bytes: Uint8Array): string {
  const result = readOffice({ bytes, maxCharacters });
  return result.type === "text" ? result.text : expect.fail(JSON.stringify(result));
}

const readDocx = (...parameters: Parameters<typeof createDocx>) => read(createDocx(...parameters));
const run = (inner: string) => `<w:r>${inner}</w:r>`;
const item = (level: number, id = 1) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;

describe("a DOCX", () => {
  it("is its paragraphs, headings and lists", () => {
    const body = [
      paragraph("Bridges", '<w:pStyle w:val="a3"/>'),
      paragraph("第一章 &amp; 更多", '<w:pStyle w:val="1"/>'),
      paragraph("Stone upon stone."),
      paragraph(""),
      paragraph("key", item(0)),
      paragraph("pier", item(1)),
      paragraph("no list any more", item(0, 0)),
      paragraph("styled", '<w:pStyle w:val="ListBullet"/>'),
    ].join("");
    const styles = { a3: "Title", "1": "heading 1", ListBullet: "List Bullet", other: "Heading" };
    expect(readDocx(body, { styles })).toBe(
      "# Bridges\n\n# 第一章 & 更多\nStone upon stone.\n- key\n  - pier\nno list any more\n- styled",
    );
  });

  it("has its runs put together, with tabs and line breaks, and without the tab stops", () => {
    const stops = '<w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs>';
    const text = `<w:p><w:pPr>${stops}</w:pPr>${run("<w:t>a</w:t><w:tab/><w:t>b</w:t>")}${run("<w:rPr><w:b/></w:rPr><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>")}</w:p>`;
    expect(readDocx(text)).toBe("a\tb\nc-d");
  });

  it("shows tables as rows, with tables in their cells", () => {
    const cell = (inner: string) => `<w:tc><w:tcPr/>${inner}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join("")}</w:tr>`;
    const table = (...rows: string[]) => `<w:tbl><w:tblPr/>${rows.join("")}</w:tbl>`;
    const inner = table(row(paragraph("x"), paragraph("y")), row(paragraph("1"), paragraph("2")));
    const body = `${paragraph("before")}${table(
      row(paragraph("Part"), paragraph("Weight | t")),
      row(paragraph("key") + paragraph("stone"), paragraph("")),
      row(inner, paragraph("90")),
    )}${paragraph("after")}`;
    expect(readDocx(body)).toBe(
      "before\n\n| Part | Weight \\| t |\n| --- | --- |\n| key stone |  |\n| x, y; 1, 2 | 90 |\n\nafter",
    );
  });

  it("leaves out what nobody sees: hidden, deleted and moved text, and the older copy of a drawing", () => {
    const hidden = run("<w:rPr><w:vanish/></w:rPr><w:t>OBEY-1</w:t>");
    const shown = run('<w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown </w:t>');
    const deleted = `<w:del>${run("<w:delText>OBEY-2</w:delText>")}</w:del><w:moveFrom>${run("<w:t>OBEY-3</w:t>")}</w:moveFrom>`;
    const field = run('<w:instrText>HYPERLINK "OBEY-4"</w:instrText>');
    const box = `<mc:AlternateContent><mc:Choice>${paragraph("box")}</mc:Choice><mc:Fallback>${paragraph("box")}</mc:Fallback></mc:AlternateContent>`;
    const text = `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${hidden}${shown}${deleted}${field}${run("<w:t>end</w:t>")}</w:p>${box}`;
    expect(readDocx(text)).toBe("shown end\nbox");
  });

  it("has its footnotes below it, and may keep its text under another name", () => {
    const text = `<w:p>${run("<w:t>stone</w:t>")}${run('<w:footnoteReference w:id="2"/>')}</w:p>`;
    const footnotes = `<w:footnote w:id="2">${paragraph("Granite.")}</w:footnote>`;
    expect(readDocx(text, { footnotes, main: "word/document2.xml" })).toBe(
      "stone[^2]\n\n[footnotes]\nGranite.",
    );
  });

  it("is read without unpacking its images", () => {
    const image = { path: "word/media/image1.png", content: randomBytes(1000), size: 2_000_000_000 };
    expect(readDocx(paragraph("text"), { more: [image] })).toBe("text");
  });
});

describe("an XLSX", () => {
  const cell = (place: string, inner: string, more = "") => `<c r="${place}" ${more}>${inner}</c>`;
  const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;

  it("is its sheets with their rows: shared and inline strings, numbers, booleans, errors, gaps", () => {
    const strings = [
      "<t>Part</t>",
      "<r><t>key</t></r><r><t>stone</t></r><rPh><t>PHONETIC</t></rPh>",
      "<t>重量</t>",
    ];
    const first = [
      row(cell("A1", "<v>0</v>", 't="s"'), cell("C1", "<v>2</v>", 't="s"')),
      row(
        cell("A2", "<v>1</v>", 't="s"'),
        cell("B2", "<is><t>in\nline</t></is>", 't="inlineStr"'),
        cell("C2", "<v>2.5</v>"),
      ),
      row(),
      row(cell("A4", "<v>1</v>", 't="b"'), cell("B4", "<v>#DIV/0!</v>", 't="e"'), cell("AA4", "<v>9</v>")),
    ];
    const text = read(createXlsx({ 石头: first.join(""), "Q&amp;A": "" }, { strings, hidden: ["Q&amp;A"] }));
    expect(text).toBe(
      `[sheet 石头]\nPart\t\t重量\nkeystone\tin line\t2.5\nTRUE\t#DIV/0!${"\t".repeat(25)}9\n\n[sheet Q&A, hidden]`,
    );
  });

  it("shows days as days, and other numbers as they are", () => {
    const values = [45000, 45000.4375, 0.75, 45000, 45000, 45000, 3];
    const cells = values.map((value, index) =>
      cell(`${"ABCDEFG"[index]}1`, `<v>${value}</v>`, `s="${index}"`),
    );
    const formats = [14, "yyyy/mm/dd hh:mm", 20, "0.00", "General", '[Red]"day" 0', 31];
    expect(read(createXlsx({ a: row(...cells) }, { formats }))).toBe(
      "[sheet a]\n2023-03-15\t2023-03-15 10:30\t18:00\t45000\t45000\t45000\t1900-01-03",
    );
    const mac = createXlsx(
      { a: row(cell("A1", "<v>43538</v>", 's="0"')) },
      { formats: [14], isFrom1904: true },
    );
    expect(read(mac)).toBe("[sheet a]\n2023-03-15");
  });

  it("shows what formulas came to, or the formula where nobody has worked it out", () => {
    const cells = row(
      cell("A1", "<f>1+2</f><v>3</v>"),
      cell("B1", "<f>SUM(A1:A2)</f><v></v>"),
      cell("C1", "<f>A1</f>"),
    );
    expect(read(createXlsx({ a: cells }))).toBe("[sheet a]\n3\t=SUM(A1:A2)\t=A1");
  });

  it("is not misled by places that are wrong", () => {
    const cells = row(
      "<c><v>1</v></c>",
      cell("ZZZ1", "<v>2</v>"),
      cell("A1", "<v>3</v>"),
      cell("?", "<v>4</v>"),
    );
    expect(read(createXlsx({ a: cells }))).toBe("[sheet a]\n1\t4");
    expect(read(createXlsx({ a: row(cell("A1", "<v>7</v>", 't="s"')) }))).toBe("[sheet a]");
  });
});

it("a PPTX is its slides in the order in which they are shown", () => {
  const shape = (text: string) =>
    `<p:sp><p:txBody><a:p><a:r><a:rPr/><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  expect(read(createPptx(shape("First") + shape("more"), shape("第二")))).toBe(
    "[slide 1]\nFirst\nmore\n\n[slide 2]\n第二",
  );
});

describe("what is hostile or no document", () => {
  it("is told from one", () => {
    expect(readOffice({ bytes: createZip([{ path: "a.txt", content: "a" }]), maxCharacters })).toEqual({
      type: "other",
    });
    const kind = (bytes: Uint8Array) => readOffice({ bytes, maxCharacters });
    expect(kind(Buffer.from("PK\x03\x04 and nothing else"))).toEqual({
      type: "unreadable",
      kind: "not-a-zip",
    });
    const locked = createZip([{ path: "_rels/.rels", content: "x", flags: 1 }]);
    expect(kind(locked)).toEqual({ type: "unreadable", kind: "unsupported" });
    const bomb = createZip([{ path: "word/document.xml", content: Buffer.alloc(65 * 1024 * 1024) }]);
    expect(kind(bomb)).toEqual({ type: "unreadable", kind: "too-large" });
  });

  it("gives up soon after the most characters", () => {
    const long = createDocx(paragraph("x".repeat(100)).repeat(1000));
    const result = readOffice({ bytes: long, maxCharacters: 5000 });
    expect(result).toMatchObject({ type: "text", isCut: true });
    expect(result.type === "text" && result.text.length).toBeLessThan(5200);
    const cells = `<row>${'<c r="XFD1" t="s"><v>0</v></c>'}</row>`.repeat(1000);
    const wide = readOffice({
      bytes: createXlsx({ a: cells }, { strings: ["<t>x</t>"] }),
      maxCharacters: 50_000,
    });
    expect(wide.type === "text" && wide.isCut && wide.text.length).toBeLessThan(70_000);
  });

  it.each([
    ["comments without an end", "<!--"],
    ["data without an end", "<![CDATA["],
    ["tags without an end", "<w:t"],
    ["quotes without an end", '<a b="'],
    ["attributes without a value", "<a b c d e f g "],
    ["entities", "&amp;&#x41;&lol;"],
    ["open elements", "<w:p><w:tbl><w:tr><w:tc>"],
    ["closed elements", "</w:p></w:tbl></w:r>"],
  ])("is passed through once, whatever it is full of: %s", (_, piece) => {
    const text = readDocx(paragraph("before") + piece.repeat(200_000));
    expect(text.startsWith("before")).toBe(true);
  });

  it("knows no entities of its own, and leaves out numbers that are no characters", () => {
    const text = '<!DOCTYPE x [<!ENTITY lol "lol">]>&lol;&#0;&#x110000;&#x4f60;&quot;&apos;&lt;';
    expect(readDocx(paragraph(text))).toBe("]>&lol;你\"'<");
  });

  it("never throws for XML of any shape, and tells each element once", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "<b:p ",
      "</b:p>",
      '"',
      "'",
      "=",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "&lt;",
      "<?",
      "?>",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let told = 0;
        const count = () => void told++;
        walkXml(pieces.join(""), { open: count, close: count, text: count });
        expect(told).toBeLessThanOrEqual(pieces.length * 2);
      }),
    );
  });
});
