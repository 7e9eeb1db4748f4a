// A port on loopback that nobody listens on, for a program that is to come back under its old address, or that nobody is to
// be found behind. Below those that the system gives away on its own: it stays free, also while the program is down.
import { createServer } from "node:net";

const [lowest, count] = [10_000, 20_000];
/** Each process of the tests has fifty of its own. */
let next = process.pid * 50;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = lowest + (next++ % count);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
