// A QR code of a short text, such as a link. Larger than version 9 a phone has trouble to read it from a terminal.

/** A row of modules a line, `#` for dark, without the quiet zone. Undefined: the text is too long. */
export async function createQrCode(text: string): Promise<string[] | undefined> {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.length > 230) return undefined;
  const { encode } = await import("uqr");
  const { data } = encode(bytes, { border: 0, maxVersion: 9 });
  return data.map((line) => line.map((isDark) => (isDark ? "#" : " ")).join(""));
}
