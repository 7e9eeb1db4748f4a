// Questions before a tool acts, in English: what it would do, why it is asked, what a yes could cost, the answers. The
// reasons are also what the model reads when a command is refused.

/** A question's first line. */
const titles = {
  "approval.run": ({ folder, network = false }: { folder?: string; network?: boolean }) =>
    `Run a command${folder === undefined ? "" : ` in ${folder}`}${network ? " with internet access" : ""}`,
  "approval.use-file": ({ path }: { path: string }) => `Use the file ${path}`,
  "approval.write-skill": ({ path }: { path: string }) => `Write the skill file ${path}`,
  "approval.change-prompt": ({ path }: { path: string }) => `Change ${path}, which every chat starts with`,
  "approval.fetch": ({ host }: { host: string }) => `Send a request with data to ${host}`,
  "approval.show-secrets": ({ path }: { path: string }) => `Show the model the passwords and keys in ${path}`,
  "approval.open-address": ({ host }: { host: string }) => `Open an address on ${host}`,
  "approval.send": ({ channel, chatId }: { channel: string; chatId: string }) =>
    `Send a message to ${channel}:${chatId}`,
  "approval.schedule": "Schedule a task",
  "approval.spawn": "Start a helper",
  "approval.call": ({ tool, server }: { tool: string; server: string }) => `Use ${tool} from ${server}`,
};

const reasons = {
  "approval.from-outside": "Something in this chat came from outside and may have asked for this.",
  "approval.made-up-address":
    "No page, search or message of yours has this address. It could carry something out.",
  "approval.many-links": "Many links of pages were opened in this chat. Allow it in this chat to go on.",
  "approval.holds-shown": ({ passage }: { passage: string }) =>
    `It contains text from your files, memory or commands: “${passage}”`,
  "approval.unknown-chat": "This chat is not connected, and you did not name it.",
  "approval.sends-files": "Files would go to another chat.",
  "approval.unattended": "Nobody is watching, and it would last.",
  "approval.from-guest": "A guest asked for this.",
  "approval.skill": "Skills are instructions for later chats.",
  "approval.wants-network": "It asks for internet access.",
  "approval.network": ({ program }: { program: string }) => `${program} connects to the internet.`,
  "approval.reaches": ({ host }: { host: string }) => `It connects to ${host}.`,
  "approval.private-address": ({ host, kind }: { host: string; kind: string }) =>
    `Commands must not connect to ${host}, a ${kind} address (exceptions: tools.ssrfWhitelist).`,
  "approval.not-known": ({ program }: { program: string }) => `${program} is not known to be harmless.`,
  "approval.asked-option": ({ program, option }: { program: string; option: string }) =>
    `\`${option}\` of ${program} always needs approval.`,
  "approval.unknown-word": ({ word }: { word: string }) => `\`${word}\` is only known when it runs.`,
  "approval.unknown-program": "Which program runs is only known when it runs.",
  "approval.unknown-folder": "The folder it runs in is only known when it runs.",
  "approval.unknown-files": "Which files a search finds is only known when it runs.",
  "approval.unknown-script": "The commands a shell gets are only known when it runs.",
  "approval.unknown-code": ({ program }: { program: string }) =>
    `The code that ${program} gets is only known when it runs.`,
  "approval.unknown-function": ({ name }: { name: string }) =>
    `Whether the function ${name} exists is only known when it runs.`,
  "approval.hidden-command": "One of its values may hide a command.",
  "approval.later-command": "What it does at the end depends on what happens before.",
  "approval.starts-itself": ({ name }: { name: string }) =>
    `The function ${name} starts itself again and again.`,
  "approval.not-well-formed": ({ quote }: { quote: string }) =>
    `The command is not well formed ("${quote}").`,
  "approval.redirection-nowhere": "The command is not well formed: a redirection leads nowhere.",
  "approval.unended-text": "The command is not well formed: a text after << has no end.",
  "approval.too-complex": "It is too long or too deeply nested to be checked.",
  "approval.nul-bytes": "Give a command without NUL bytes.",
  "approval.invisible": "It contains invisible characters.",
  "approval.local-code": ({ program }: { program: string }) =>
    `${program} runs code of the workspace, and there is no sandbox to contain it.`,
  "approval.local-files": ({ program }: { program: string }) =>
    `Which files ${program} touches depends on what it finds, and there is no sandbox to contain it.`,
  "approval.inline-code": ({ program }: { program: string }) =>
    `The code for ${program} may do more than work with files.`,
  "approval.script-text": ({ program }: { program: string }) =>
    `The script for ${program} may run programs or use other files.`,
  "approval.setting": ({ name }: { name: string }) => `Setting ${name} changes what programs do.`,
  "approval.outside": ({ path }: { path: string }) => `${path} is outside the workspace.`,
  "approval.secret": ({ path }: { path: string }) => `${path} holds keys or passwords. Do without it.`,
  "approval.own": ({ path }: { path: string }) =>
    `${path} is or contains something that the assistant keeps for itself. Do without it.`,
  "approval.system": ({ path }: { path: string }) =>
    `It would change ${path}, which belongs to the system or holds everything a person has.`,
  "approval.kept-files": ({ path }: { path: string }) => `${path} holds files that the assistant needs.`,
  "approval.like-option": ({ path }: { path: string }) =>
    `A program could read the name ${path} as an option.`,
  "approval.many-files": ({ path }: { path: string }) => `${path} stands for too many files.`,
  "approval.unusable-path": ({ path }: { path: string }) => `${path} cannot be checked.`,
  "approval.forced": "It overwrites what others may have on the remote.",
  "approval.other-user": "It runs with the rights of another user.",
  "approval.wrecking": ({ program }: { program: string }) => `${program} can destroy data or leak secrets.`,
  "approval.ends-all": "It ends everything that runs here.",
  "approval.ends-other": "It ends a process that this command did not start.",
  "approval.owner-rule": ({ rule }: { rule: string }) => `The owner's rules forbid it: ${rule}.`,
  "approval.bad-pattern": ({ pattern }: { pattern: string }) =>
    `A pattern in tools.exec is not valid: ${pattern}.`,
};

const risks = {
  "approval.risk-files": "Files are changed.",
  "approval.risk-secrets": "The model's host gets to see them.",
  "approval.risk-instructions": "It becomes part of what later chats start with.",
  "approval.risk-command": "A command can change, delete and start things.",
  "approval.risk-network": "Anything read here could be sent out.",
  "approval.risk-people": "Someone else will read it, in your name.",
  "approval.risk-later": "It happens later, when you may not be watching.",
  "approval.risk-alone": "It works on its own, with your tools.",
  "approval.risk-foreign": "Another program decides what it does.",
};

const choices = {
  "choice.yes": "Yes",
  "choice.no": "No",
  "approval.once": "Allow once",
  "approval.session": "Allow in this chat",
  "approval.always": "Always allow",
  "approval.refuse": "Don't allow",
};

export const approvalPhrases = { ...titles, ...reasons, ...risks, ...choices };
