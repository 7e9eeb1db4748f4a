// What is wrong with the folder or the files of an assistant, in English.

export const storagePhrases = {
  "storage.locked": ({ home }: { home: string }) =>
    `Another nanobot is using ${home}. Wait until it is done, or end that process, and try again.`,
  "storage.locked-by": (params: { home: string; pid: number; purpose: string; since: string }) =>
    `Another nanobot (process ${params.pid}, ${params.purpose}, since ${params.since}) is using ${params.home}. Wait until it is done, or end that process, and try again.`,
  "storage.newer": ({ path, version }: { path: string; version: number }) =>
    `${path} was made by a newer nanobot (version ${version}). Use that one, or move the file away.`,
};
