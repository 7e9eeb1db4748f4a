// What is wrong with the state of a home, as phrases: the same ones for the gateway's status, the page and `doctor`. Only
// looks.
import { join } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { listAside } from "../../storage/database/repair-state.ts";
import { readJsonFile } from "../../storage/files/json-file.ts";
import type { HomePaths } from "../../storage/home.ts";
import { isHomeGone } from "../../storage/served-homes.ts";

const ownFiles = ["pairing.json", "approvals.json", "skills.json", "tools.json", "channels.json"];

export async function findStateProblems({ home, run }: HomePaths, workspace: string): Promise<Phrase[]> {
  if (isHomeGone(home)) return [phrase("home.gone", { home })];
  const files = [
    ...ownFiles.map((name) => join(home, name)),
    join(run, "web-sessions.json"),
    join(run, "api-tokens.json"),
    join(workspace, "cron", "jobs.json"),
  ];
  const read = await Promise.all(files.map(async (path) => ({ path, file: await readJsonFile(path) })));
  const broken = read.flatMap(({ path, file }) => {
    if (file.state !== "unreadable" && file.state !== "invalid") return [];
    const { code, params } = file.fault;
    const reason = { code, params: { ...params, file: path } };
    return [phrase(file.state === "invalid" ? "home.file-damaged" : "home.file-unreadable", { reason })];
  });
  const aside = listAside(join(home, "state.db")).map((name) =>
    phrase("home.database-set-aside", { path: join(home, name) }),
  );
  return [...broken, ...aside];
}
