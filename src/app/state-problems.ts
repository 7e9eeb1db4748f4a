// What is wrong with the state of a home, in sentences: the same ones for the gateway's status, the page and `doctor`. Only
// looks.
import { join } from "node:path";
import type { HomePaths } from "../config/home.ts";
import { retell } from "../i18n/retell.ts";
import type { Words } from "../i18n/words.ts";
import { isHomeGone } from "../lib/home-presence.ts";
import { readJsonFile } from "../lib/json-file.ts";
import { listAside } from "../lib/repair-state.ts";

const ownFiles = ["pairing.json", "approvals.json", "skills.json", "tools.json", "channels.json"];

export async function findStateProblems(
  { home, run }: HomePaths,
  workspace: string,
  words: Words,
): Promise<string[]> {
  if (isHomeGone(home)) return [words.care.homeGone(home)];
  const files = [
    ...ownFiles.map((name) => join(home, name)),
    join(run, "web-sessions.json"),
    join(workspace, "cron", "jobs.json"),
  ];
  const read = await Promise.all(files.map(async (path) => ({ path, file: await readJsonFile(path) })));
  const broken = read.flatMap(({ path, file }) => {
    if (file.state !== "broken") return [];
    const reason = retell(file.message, words, "config");
    return file.kind === "unreadable"
      ? [words.care.stateUnreadable(path, reason)]
      : [words.care.stateInvalid(path, reason)];
  });
  const aside = listAside(join(home, "state.db")).map((name) => words.care.stateSetAside(join(home, name)));
  return [...broken, ...aside];
}
