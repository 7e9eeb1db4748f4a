// A picture as lines of a terminal that can show pictures. Knows no file.
import { sniffImageType } from "../../lib/formats/image-type.ts";
import type { TuiLibrary } from "./markdown.ts";

const mostColumns = 60;
const mostRows = 20;

/** None for what the terminal cannot show. */
export function drawPicture(library: TuiLibrary, bytes: Buffer, columns: number): string[] {
  const type = sniffImageType(bytes);
  const { images } = library.getCapabilities();
  // The protocol of kitty takes no other kind.
  const isTaken = images === "iterm2" || (images === "kitty" && type === "image/png");
  if (type === undefined || !isTaken) return [];
  const limits = { maxWidthCells: mostColumns, maxHeightCells: mostRows };
  const theme = { fallbackColor: (text: string) => text };
  return new library.Image(bytes.toString("base64"), type, theme, limits).render(columns);
}
