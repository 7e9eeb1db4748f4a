// Why a command is asked about or refused, in English: read by the model, and retold to the owner. Each sentence begins
// and ends with words of its own, so that it is found again among others.

export const englishCommands = {
  unknownWord: (word: string) => `What "${word}" stands for, only a run would tell.`,
  unknownProgram: "Which program it runs, only a run would tell.",
  unknownFolder: "In which folder it runs, only a run would tell.",
  unknownFound: "Which files a search finds, only a run would tell.",
  unknownText: "Which commands a shell would get, only a run would tell.",
  unknownCode: (program: string) => `Which code "${program}" would get, only a run would tell.`,
  unknownFunction: (name: string) => `Whether the function "${name}" is there, only a run would tell.`,
  hiddenCommand: "A value in it may hide a command.",
  laterCommand: "What it does at its end depends on what happens before.",
  startsItself: (name: string) => `A function starts itself over and over: "${name}".`,
  notWellFormed: (problem: string) => `It is not well-formed: ${problem}.`,
  tooMuch: "It is too long or too deep to be judged.",
  unseenSigns: "It has signs in it that cannot be seen.",
  notKnown: (program: string) => `Not known to be harmless: "${program}".`,
  askedOption: (option: string, program: string) => `Always asked about: "${option}" of "${program}".`,
  localCode: (program: string) =>
    `There is no sandbox to contain code of the workspace, which "${program}" runs.`,
  localFiles: (program: string) =>
    `There is no sandbox to contain "${program}", and which files it touches depends on what it finds.`,
  inlineCode: (program: string) => `It holds code for "${program}" that may do more than work with files.`,
  scriptText: (program: string) => `The script for "${program}" may run programs or use other files.`,
  setting: (name: string) => `Setting ${name} changes what programs do.`,
  outside: (path: string) => `Outside of the workspace: "${path}".`,
  secret: (path: string) => `Keys or passwords are in "${path}". Do without them.`,
  system: (path: string) =>
    `It would change "${path}", which belongs to the system or holds all that somebody has.`,
  keptFiles: (path: string) => `The assistant keeps files of its own in "${path}".`,
  likeOption: (path: string) => `A program could take a name for an option: "${path}".`,
  manyFiles: (path: string) => `Too many files are meant by "${path}".`,
  unusablePath: (path: string) => `There is no way to look at "${path}".`,
  network: (program: string) => `The network is reached by "${program}".`,
  networkWish: "It asks for the network.",
  forced: "It overwrites what others may have at the remote.",
  privateAddress: (host: string, kind: string) =>
    `Commands must not reach "${host}", a ${kind} address (tools.ssrfWhitelist lists exceptions).`,
  otherUser: "It runs with the rights of another user.",
  wrecking: (program: string) => `A system can be wrecked, or its secrets given away, by "${program}".`,
  endsAll: "It ends everything that runs here.",
  endsOther: "It ends a process that this line did not start.",
  ownerRule: (rule: string) => `The owner's rules forbid it: ${rule}.`,
  unusablePattern: (pattern: string) => `A pattern in tools.exec cannot be used: "${pattern}".`,
};
