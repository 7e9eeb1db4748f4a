// The tool generate_image: makes or edits images, saves them in the workspace and shows them in the chat. Knows no host: it is
// handed what makes the images, and what shows them.
import { extname } from "node:path";
import * as z from "zod";
import type { FileRoots } from "../guards/files/file-roots.ts";
import { readImageSides } from "../guards/image-store.ts";
import type { Phrase } from "../i18n/phrase.ts";
import { sayInEnglish } from "../i18n/words.ts";
import { sniffImageType } from "../lib/formats/image-type.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";

export interface ImageOrder {
  prompt: string;
  count: number;
  /** Such as 16:9; absent: as it is configured. */
  aspectRatio?: string;
  /** Images to edit. */
  sources: readonly SourceImage[];
}

export interface SourceImage {
  bytes: Buffer;
  /** Such as image/png. */
  type: string;
}

/** `reason`: why there is none. */
export type MadeImages = { images: Buffer[]; model: string } | { reason: Phrase };

export type MakeImages = (order: ImageOrder, context: ToolContext) => Promise<MadeImages>;

/** Files of the workspace as a message to the chat of the turn; false where it cannot be sent. */
type ShowFiles = (paths: string[], context: ToolContext) => Promise<boolean>;

/** Bytes of one image, both ways. */
export const largestImage = 20 * 1024 * 1024;
const mostImages = 8;
const mostSources = 4;

const parameters = z.object({
  prompt: z.string().min(1).max(10_000).describe("What the image shows, or how to change it"),
  path: z
    .string()
    .regex(/[^/]\.(?:png|jpe?g|webp)$/i, "must end in .png, .jpg or .webp")
    .describe("Where to save it, such as images/cat.png"),
  reference_images: z
    .array(z.string())
    .max(mostSources)
    .optional()
    .describe("Image files to edit or combine"),
  aspect_ratio: z
    .string()
    .regex(/^[1-9]\d?:[1-9]\d?$/)
    .optional()
    .describe("Such as 16:9"),
  count: z.int().min(1).max(mostImages).optional(),
});

type Args = z.output<typeof parameters>;

export function createGenerateImage(
  roots: FileRoots,
  { make, show }: { make: MakeImages; show: ShowFiles },
): Tool<Args> {
  async function readSource(path: string, { origin }: ToolContext): Promise<SourceImage> {
    const { handle, shown, size } = await roots.openForReading(path, origin);
    try {
      if (size > largestImage) throw new ToolError(`${shown} is larger than 20 MB. Use a smaller image.`);
      const bytes = await handle.readFile();
      const type = sniffImageType(bytes);
      if (type === undefined) throw new ToolError(`${shown} is no PNG, JPEG, WebP or GIF image.`);
      return { bytes, type };
    } finally {
      await handle.close();
    }
  }

  return defineTool({
    name: "generate_image",
    description: "Makes images, or edits some, saves them and shows them to the user. Costs money.",
    parameters,
    effects: (args) => [
      ...(args.reference_images ?? []).map((path) => ({ type: "read" as const, path })),
      ...toPaths(args).map((path) => ({ type: "write" as const, path })),
    ],
    async execute(args, context) {
      const { prompt, count = 1, reference_images: references = [], aspect_ratio: aspectRatio } = args;
      const { origin } = context;
      const paths = toPaths(args);
      // Before anything is paid for.
      for (const path of paths) await roots.resolveWrite(path, origin);
      const sources: SourceImage[] = [];
      for (const path of references) sources.push(await readSource(path, context));
      const made = await make({ prompt, count, sources, ...(aspectRatio && { aspectRatio }) }, context);
      if ("reason" in made)
        throw new ToolError(
          `No image was made: ${sayInEnglish(made.reason)} Tell the user, or go on without it.`,
        );
      const images = made.images.slice(0, count);
      const lines: string[] = [];
      for (const [index, bytes] of images.entries()) {
        const written = await roots.writeInside(paths[index] ?? "", bytes, origin);
        const { width, height } = readImageSides(bytes) ?? { width: 0, height: 0 };
        lines.push(`${roots.display(written, origin)} (${width} x ${height})`);
      }
      const isShown = await show(paths.slice(0, images.length), context);
      const missing = images.length < count ? ` The host made only ${images.length} of ${count}.` : "";
      const end = isShown
        ? "The user sees this already: do not send it again."
        : "Tell the user where it is: files cannot be shown in this chat.";
      return { content: `Saved by ${made.model}: ${lines.join(", ")}.${missing} ${end}` };
    },
  });
}

/** cat.png, cat-2.png ... */
function toPaths({ path, count = 1 }: Pick<Args, "path" | "count">): string[] {
  const ending = extname(path);
  const stem = path.slice(0, -ending.length);
  return Array.from({ length: count }, (_, index) => (index === 0 ? path : `${stem}-${index + 1}${ending}`));
}
