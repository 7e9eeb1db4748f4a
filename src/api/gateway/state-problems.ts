// What is wrong with the state of a home, as phrases: the same ones for the gateway's status, the page and `doctor`.
// Changes nothing.
import { join } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { listAside } from "../../storage/database/repair-state.ts";
import { readJsonFile } from "../../storage/files/json-file.ts";
import type { HomePaths } from "../../storage/home.ts";
import { jobFilePath } from "../../storage/jobs/job-file.ts";
import { isHomeGone } from "../../storage/served-homes.ts";

export async function findStateProblems(paths: HomePaths, workspace: string): Promise<Phrase[]> {
  const { home } = paths;
  if (isHomeGone(home)) return [phrase("home.gone", { home })];
  const files = [
    paths.pairing,
    paths.approvals,
    paths.allowedSkills,
    paths.allowedTools,
    paths.allowedChannels,
    paths.webSessions,
    paths.apiTokens,
    paths.triggers,
    jobFilePath(workspace),
  ];
  const read = await Promise.all(files.map(async (path) => ({ path, file: await readJsonFile(path) })));
  const broken = read.flatMap(({ path, file }) => {
    if (file.state !== "unreadable" && file.state !== "invalid") return [];
    const { code, params } = file.fault;
    const reason = { code, params: { ...params, file: path } };
    return [phrase(file.state === "invalid" ? "home.file-damaged" : "home.file-unreadable", { reason })];
  });
  const aside = listAside(paths.stateDatabase).map((name) =>
    phrase("home.database-set-aside", { path: join(home, name) }),
  );
  return [...broken, ...aside];
}
