// The body of a request as text, and never more of it than a route wants.
import type { IncomingMessage } from "node:http";

export class BodyTooLarge extends Error {
  override name = "BodyTooLarge";
}

export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > mostBytes) throw new BodyTooLarge(describe(mostBytes));
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays, for the answer to what is too large.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > mostBytes) throw new BodyTooLarge(describe(mostBytes));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function describe(mostBytes: number): string {
  return `The body is larger than ${Math.round(mostBytes / 1024 / 1024)} MB. Send less.`;
}
