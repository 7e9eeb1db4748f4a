// Opens a page in the browser of this machine. Through a private file: every user of the machine can see the arguments of a
// program.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { writeFileAtomic } from "../../storage/files/change-files.ts";
import type { HomePaths } from "../../storage/home.ts";

/** The program that could not open it; undefined when it is open. */
export async function openPage(url: string, { webLink: file }: HomePaths): Promise<string | undefined> {
  const target = new URL(url).href.replaceAll("&", "&amp;").replaceAll('"', "%22");
  const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${target}">\n`;
  await writeFileAtomic(file, page, { mode: 0o600, forceMode: true });
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  try {
    await promisify(execFile)(program, [...args, file], { timeout: 10_000 });
  } catch (error) {
    const { code, killed } = error as { code?: unknown; killed?: boolean };
    if (code === undefined) throw error;
    // Some openers run as long as the browser: they have done their work.
    if (killed !== true) return program;
  }
  return undefined;
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
