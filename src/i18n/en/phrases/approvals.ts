// Questions before a tool acts, in English: what it would do, why it is asked, what a yes could cost, the answers. The
// reasons are also what the model reads when a command is refused.

/** A question's first line. */
const titles = {
  "approval.run": ({ folder }: { folder?: string }) =>
    `Run a command${folder === undefined ? "" : ` in ${folder}`}`,
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
  "approval.unattended": "No one is watching, and its effect would last.",
  "approval.from-guest": "A guest asked for this.",
  "approval.skill": "Skills are instructions for later chats.",
  "approval.wants-network": "It asks for the internet, any host, and for services on this computer.",
  "approval.wants-hosts": ({ hosts }: { hosts: string }) => `It asks to reach ${hosts}.`,
  "approval.wants-writable": ({ paths }: { paths: string }) => `It asks to change files in ${paths}.`,
  "approval.wants-outside": "It asks to run outside the sandbox.",
  "approval.no-sandbox": "There is no sandbox here, so nothing limits what it does.",
  "approval.bad-host": ({ host }: { host: string }) =>
    `${host} is not a host name. Give one such as example.com.`,
  "approval.private-address": ({ host, kind }: { host: string; kind: string }) =>
    `Commands must not connect to ${host}, a ${kind} address (exceptions: tools.ssrfWhitelist).`,
  "approval.nul-bytes": "Give a command without NUL bytes.",
  "approval.secret": ({ path }: { path: string }) => `${path} holds keys or passwords. Do without it.`,
  "approval.own": ({ path }: { path: string }) =>
    `${path} is or contains something that the assistant keeps for itself. Do without it.`,
  "approval.system": ({ path }: { path: string }) =>
    `It would change ${path}, which belongs to the system or holds everything a person has.`,
  "approval.owner-rule": ({ rule }: { rule: string }) => `The owner's rules forbid it: ${rule}.`,
  "approval.may-be-denied": ({ rule }: { rule: string }) =>
    `What it starts cannot be read, and your rules forbid: ${rule}.`,
  "approval.bad-pattern": ({ pattern }: { pattern: string }) =>
    `A pattern in tools.exec is not valid: ${pattern}.`,
};

const risks = {
  "approval.risk-files": "Files are changed.",
  "approval.risk-secrets": "The model's host gets to see them.",
  "approval.risk-instructions": "It becomes part of what later chats start with.",
  "approval.risk-command": "A command can change, delete and start things.",
  "approval.risk-network": "Anything read here could be sent out.",
  "approval.risk-outside": "It can read, change and send out everything you can.",
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
  "approval.always-hosts": ({ programs, hosts }: { programs: string; hosts: string }) =>
    `Always allow ${programs} to reach ${hosts === "*" ? "any host" : hosts}`,
  "approval.refuse": "Don't allow",
};

/** Which sandbox there is, and how to get one. */
const sandboxes = {
  "sandbox.bubblewrap":
    "on (bubblewrap): commands run in the workspace without asking; the network and other files need your permission",
  "sandbox.seatbelt":
    "on (Seatbelt): commands run in the workspace without asking; the network and other files need your permission",
  "sandbox.runtime":
    "on (a container for each command): commands run in the workspace without asking; the network and other files need your permission",
  "sandbox.runtime-fails": ({ detail }: { detail: string }) =>
    `none, so nearly every command asks you: the container runtime in tools.exec.sandboxRuntime does not work (${detail})`,
  "sandbox.off":
    "off (tools.exec.sandbox is off): nearly every command asks you, and then runs with your permissions",
  "sandbox.missing":
    "none, so nearly every command asks you: bwrap is not installed. Install the package bubblewrap, such as: sudo apt install bubblewrap",
  "sandbox.unsupported":
    "none on this system: nearly every command asks you, and then runs with your permissions",
  "sandbox.forbidden": ({ detail }: { detail: string }) =>
    `none, so nearly every command asks you: bwrap is installed, but the system does not let it work (${detail})`,
  "sandbox.container": ({ detail }: { detail: string }) =>
    `this container is the sandbox: commands can change everything in it, and nearly all of them ask you. bwrap does not work here (${detail}); docs/deployment.md says how to allow it`,
  "sandbox.required": "No command runs without it (tools.exec.sandbox is required).",
};

export const approvalPhrases = { ...titles, ...reasons, ...risks, ...choices, ...sandboxes };
