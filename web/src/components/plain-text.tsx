// A text as it was written, whatever its length. In pieces: a browser takes the square of the time for one that is long
// and of several scripts.
export function PlainText({ text }: { text: string }) {
  const pieces = toPieces(text);
  if (pieces.length <= 1) return text;
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place.
    <span key={index} className="block">
      {piece}
    </span>
  ));
}

/** Cut at the end of a line or, where none ends for long, of a word. Each is shown as a line of its own. */
export function toPieces(text: string): string[] {
  const pieces = text.match(/.{1,4000}(?:\n|$)|.{1,4000}(?=\s)|.{1,4000}/gsu) ?? [];
  return pieces.map((piece, index) => (index < pieces.length - 1 ? piece.replace(/\n$/, "") : piece));
}
