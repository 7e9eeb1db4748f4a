// The body of a request as text, and never more of it than a route wants.

export class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

export async function readBody(request: Request, mostBytes: number): Promise<string> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > mostBytes) throw new BodyTooLarge(describe(mostBytes));
  // The server takes no more than was announced.
  if (announced > 0) return request.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new BodyTooLarge(describe(mostBytes));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function describe(mostBytes: number): string {
  return `The body is larger than ${Math.round(mostBytes / 1024 / 1024)} MB. Send less.`;
}
