// The parts of an office document (DOCX, XLSX, PPTX): XML files in a zip archive that name one another by relations.
import { posix } from "node:path";
import { readZip } from "./read-zip.ts";
import { walkXml } from "./xml-walk.ts";

export interface OfficeParts {
  /** The path of the part that everything hangs on; undefined for archives that are no office document. */
  main?: string;
  /** "" for a part that is not there. */
  read(path: string): string;
  /** What a part calls by an id, as paths. */
  related(path: string): ReadonlyMap<string, string>;
}

/** How many characters may still be read, by all parts together. Whoever uses it up stops. */
export interface TextBudget {
  left: number;
}

/** Unpacked; the images of a document are not. */
const limits = {
  files: 0xffff,
  bytes: 64 * 1024 * 1024,
  wants: (path: string) => /\.(?:xml|rels)$/i.test(path),
};

/** Throws ZipError. */
export function openOfficeParts(bytes: Buffer): OfficeParts {
  const files = new Map(readZip(bytes, limits).map(({ path, bytes: content }) => [path, content]));
  const read = (path: string) => decode(files.get(path));
  const related = (path: string) => {
    const { dir, base } = posix.parse(path);
    return new Map(
      readRelations(read(posix.join(dir, "_rels", `${base}.rels`)), dir).map(([id, , to]) => [id, to]),
    );
  };
  const [, , main] =
    readRelations(read("_rels/.rels"), "").find(([, type]) => type.endsWith("/officeDocument")) ?? [];
  return { main, read, related };
}

function readRelations(xml: string, folder: string): Array<[id: string, type: string, path: string]> {
  const relations: Array<[string, string, string]> = [];
  walkXml(xml, {
    open(name, attribute) {
      const target = attribute("Target") ?? "";
      if (name !== "Relationship" || attribute("TargetMode") === "External") return;
      // From the root of the archive where it begins with a slash.
      const path = posix.join("/", target.startsWith("/") ? "" : folder, target).slice(1);
      relations.push([attribute("Id") ?? "", attribute("Type") ?? "", path]);
    },
  });
  return relations;
}

function decode(bytes: Buffer | undefined): string {
  if (bytes === undefined) return "";
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}
