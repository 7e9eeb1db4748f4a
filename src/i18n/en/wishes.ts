// What a wish about jobs, people or the gateway is refused with. Made where no language is known; `retell` says it in
// the user's.
export const englishWishes = {
  timeOver: "That time is over. Give one in the future.",
  interval: "The interval must be a second or more.",
  noZone: (zone: string) => `"${zone}" is no time zone. Give an IANA name such as Asia/Shanghai.`,
  neverComes: (expression: string) => `"${expression}" names no time that will ever come.`,
  noExpression: (expression: string, reason: string) =>
    `"${expression}" is no cron expression of five fields, such as "0 9 * * 1-5" (${reason}).`,
  needsMessage: "Say in `message` what is to be done then.",
  tooManyJobs: (most: string) => `There are ${most} jobs already. Remove some first.`,
  jobOver: (id: string) => `The time of ${id} is over.`,
  ownTaskRuns: (id: string) => `${id} is a task of the program; it runs by itself.`,
  ownTask: (id: string) => `${id} is a task of the program and cannot be changed.`,
  noJob: (id: string) => `There is no job "${id}". List the jobs to see their ids.`,
  unknownMethod: "There is nothing of that name.",
  notWellFormed: "The request is not well formed.",
  ownerOnly: "Only the owner may do this.",
  failed: "That failed; the log says why.",
  needsTime: "Give a day and a time.",
  notUnderstood: "It is not understood.",
  tooLate: "It is too late to undo that.",
  noSkill: (name: string) => `There is no skill "${name}".`,
  skillChanged: "The skill is no longer what you looked at. Look again.",
  sharedSkill: "It belongs to others, too, and is not removed from here.",
  noChannel: (name: string) => `There is no channel "${name}".`,
  notTried: "This channel cannot be tried.",
  gatewaySilent: "The gateway of this home has just ended, or does not answer. Try again.",
};
