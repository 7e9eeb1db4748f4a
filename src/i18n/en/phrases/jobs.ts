// Why a job was not planned, changed or run, or how a run of it failed, in English.

export const jobPhrases = {
  "jobs.time-over": "That time has passed. Choose one in the future.",
  "jobs.too-often": "The interval must be a second or more.",
  "jobs.bad-zone": ({ zone }: { zone: string }) =>
    `"${zone}" is not a time zone. Use an IANA name such as Asia/Shanghai.`,
  "jobs.never": ({ expression }: { expression: string }) =>
    `"${expression}" names no time that will ever come.`,
  "jobs.bad-expression": ({ expression, quote }: { expression: string; quote: string }) =>
    `"${expression}" is not a cron expression of five fields, such as "0 9 * * 1-5" ("${quote}").`,
  "jobs.bad-time": "Give a date and a time, such as 2026-08-01T09:00.",
  "jobs.needs-message": "Say what should be done then.",
  "jobs.too-many": ({ most }: { most: number }) => `There are ${most} jobs already. Remove some first.`,
  "jobs.over": ({ id }: { id: string }) => `The time of ${id} has passed.`,
  "jobs.built-in": ({ id }: { id: string }) => `${id} is built in and cannot be changed.`,
  "jobs.built-in-runs": ({ id }: { id: string }) => `${id} is built in and runs on its own.`,
  "jobs.not-found": ({ id }: { id: string }) => `There is no job "${id}". List the jobs to see their ids.`,
  "jobs.needs-chat": "Say which chat should get the answer.",
  "jobs.missed": "nanobot was not running at that time.",
  "jobs.overlap": "The previous run was not finished yet.",
  "jobs.interrupted": "nanobot was stopped before it was done.",
  "jobs.turn-failed": "It could not be finished. Its chat says why.",
  "jobs.quoted": ({ quote }: { quote: string }) => `"${quote}"`,
  "jobs.other-chat": "You can plan something for this chat only.",
};
