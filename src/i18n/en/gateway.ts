// The gateway: start and end, sign-in links, access, and messages that are not sent yet, in English.
import { nanobot, toOtherPort, toStartCommand } from "../../lib/program-command.ts";
import { plural } from "./plural.ts";

export const englishGateway = {
  gateway: {
    usage: {
      command: "keep the assistant running: chats, schedule, web page",
      action: "what to do (default: run it here)",
      port: "port to listen on",
      tail: "lines of the log to show",
      follow: "keep showing new lines",
      dryRun: "only show the service that would be installed",
    },
    pairingCode: (code: string) =>
      `I don't know you yet. Ask my owner to let you in with this code within ten minutes: ${code}`,
    apology:
      "Sorry: I tried three times to answer this message and was interrupted each time. I have set it aside. Please put it in other words.",
    apologyForSeveral:
      "Sorry: I tried three times to answer these messages and was interrupted each time. I have set them aside. Please put them in other words.",
    andMore: (count: number) => `(and ${count} more)`,
    answerInFile: (characters: string) =>
      `(This is only the beginning. The full text, ${characters} characters, is in the file.)`,
    answerInChat: (characters: string) =>
      `(This is only the beginning. The full text, ${characters} characters, does not fit here; read it in this conversation on the web page.)`,
    address: {
      open: (host: string) =>
        `gateway.host is ${host}, so other people could use the assistant. Set api.apiKey in config.json to a secret, or gateway.host to 127.0.0.1.`,
      notPublic: (url: string) =>
        `gateway.publicUrl is ${JSON.stringify(url)}, which is not a web address. Write it as in a browser, such as https://bot.example.com`,
      taken: (port: number) =>
        `Port ${port} is in use by another program. Choose another port: ${toStartCommand(`--port ${toOtherPort(port)}`)}`,
      unusable: (host: string, port: number, code: string) =>
        `nanobot cannot listen at ${host}:${port} (${code}). Check gateway.host and gateway.port in config.json.`,
      unknownName:
        "This server does not answer to that name. Use 127.0.0.1, or set gateway.publicUrl to the address that you use.",
      otherPage: "Pages of other sites may not use this server.",
    },
    listening: (url: string) => `nanobot is at ${url}`,
    model: (model: string, host: string, why: string) => `Model: ${model} at ${host} (${why})`,
    channels: (names: string) => `Channels: ${names}`,
    noChannels: "No chat channel is enabled; see docs/channels.md.",
    stopHint: "Press Ctrl-C to stop; press it again to stop at once.",
    draining:
      "Stopping: finishing what is running, for at most 45 seconds. Anything left continues at the next start. Press Ctrl-C again to stop at once.",
    isRunning: (pid: number, url: string) =>
      `nanobot is already running (process ${pid}, ${url}). To stop it: ${nanobot} gateway stop`,
    isStarting: (pid: number) =>
      `nanobot is already starting (process ${pid}). When it is ready, get a link with: ${nanobot} web`,
    started: (pid: number, url: string) => `The gateway is running (process ${pid}, ${url}).`,
    notStarted: (log: string) => `The gateway did not start. See why in ${log}`,
    serviceInstalled: (path: string) =>
      `${path} is installed and started. To keep it running after you log out: loginctl enable-linger`,
    serviceRemoved: "The service was removed.",
    noSystemd: (reason: string) =>
      `systemd could not do it (${reason}). Use ${nanobot} gateway start, or see the unit with: ${nanobot} gateway install-service --dry-run`,
    stopped: "The gateway has stopped.",
    notStopped: (pid: number) => `The gateway (process ${pid}) is still finishing something.`,
    noLog: (path: string) => `Nothing has been logged yet in ${path}`,
    process: (pid: number) => `process ${pid}`,
    since: (time: string) => `since ${time}`,
    page: {
      title: "nanobot is running",
      text: `This is the gateway of your assistant. Talk to it in the terminal with \`${nanobot} agent\`, or in your chat apps.`,
      health: "Health",
    },
    state: {
      starting: "starting",
      running: "running",
      retrying: "trying again",
      failed: "failed",
      stopped: "stopped",
    },
    status: {
      gateway: "Gateway",
      channel: "Channel",
      waiting: "Waiting to be sent",
      turns: "Turns running",
    },
  },

  web: {
    usage: {
      command: "print a link that opens the assistant in a browser",
      guest: "for a guest with this name, who sees only their own conversations",
      open: "open it in the browser of this machine",
      signOut: "sign out all browsers, or only those of the guest",
      topic: "tokens for programs, instead of a link",
      tokenAction: "what to do with tokens (default: list)",
      tokenWords: "name of the token; for add also the operations that it may call",
    },
    token: {
      none: "There are no tokens.",
      added: (name: string, token: string) => `Token "${name}", shown only this once: ${token}`,
      mayCall: (operations: string) => `It may call: ${operations}`,
      row: (name: string, operations: string, created: string) =>
        `${name}: ${operations} (created ${created})`,
      removed: (name: string) => `Token "${name}" was removed and no longer works.`,
      needsName: (command: string) => `Which token? ${command} <name>`,
      needsOperations: (command: string) =>
        `Which name, and which operations may it call? For example: ${command} calendar jobs.list jobs.add`,
    },
    link: (url: string) => `Open this in your browser: ${url}`,
    guestLink: (person: string, url: string) => `For ${person}, in a browser: ${url}`,
    elsewhere: (url: string) => `From another device, for example a phone: ${url}`,
    asked: (url: string) => `A browser is at the sign-in page. If that is you, open: ${url}`,
    once: "The link works once, within ten minutes.",
    signedOut: (count: number) => `${plural(count, "browser is", "browsers are")} signed out.`,
    hint: `To open it in a browser, get a link with: ${nanobot} web`,
    notOpened: (program: string) =>
      `${program} could not open a browser here. Run ${nanobot} web without --open, and copy the link.`,
  },

  pairing: {
    usage: {
      command: "who has access to the assistant in chat apps",
      action: "what to do (default: list)",
      code: "pairing code; for revoke: channel and id",
      owner: "as the owner, who may do everything",
      person: "name of the person; two senders with one name are one person",
    },
    nobody: "No one has access yet, and no requests are pending.",
    waiting: "Pending requests:",
    admitted: "With access:",
    request: (code: string, who: string, valid: string) => `\`${code}\`: ${who}, valid for ${valid}`,
    sender: (channel: string, id: string) => `${channel} ${id}`,
    named: (name: string, sender: string) => `${name} (${sender})`,
    roles: { owner: "owner", guest: "guest" },
    pair: (who: string, role: string) => `${who}: ${role}`,
    guest: (person: string) => `guest \`${person}\``,
    approved: (who: string, role: string) => `${who} has access now, as ${role}.`,
    denied: "Refused.",
    revoked: (sender: string) => `${sender} no longer has access.`,
    needsCode: (command: string) => `Which code? ${command} <code>`,
    needsSender: (command: string) => `Who? ${command} <channel> <id>`,
    help: "/pairing approve <code> [owner], deny <code>, revoke <channel> <id>",
  },

  homes: {
    usage: {
      command: "several assistants on this machine",
      action: "what to do (default: list)",
      name: "name of the assistant: lower-case letters, digits and hyphens",
      yes: "remove it without asking",
    },
    home: (name: string, state: string) => `${name}: ${state}`,
    first: "(first)",
    running: "running",
    stopped: "not running",
    added: (name: string) =>
      `The assistant ${name} was added, with the same model. Talk to it with: ${nanobot} --home ${name}`,
    reallyRemove: (name: string) => `Remove the assistant ${name} with everything it knows?`,
    removed: (name: string) =>
      `The assistant ${name} was removed. Its files are kept in trash for two weeks.`,
    kept: (name: string) => `The assistant ${name} was kept.`,
    needsName: `Which assistant? For example: ${nanobot} homes add work`,
  },

  cluster: {
    usage: {
      command: "assistants on several machines, kept in PostgreSQL",
      action: "what to do (default: status)",
      words:
        "for homes: list, add, host, import, export, allow, quota, move, suspend, resume or remove; the home; a folder, host name, worker or size",
      name: "name of this worker (default: host name and process)",
      folder: "where a worker keeps the homes that it serves",
      capacity: "most homes that a worker serves (default: 50)",
      port: "port of a worker, which answers for every home by its host name (default: any)",
      listen: "address that a worker listens on (default: 127.0.0.1)",
      address: "where other workers reach this one (default: http://127.0.0.1 and the port)",
      paths: "all homes belong to one person: serve each below this address, as /h/<home>/",
      sleepAfter: "seconds after which a home that nobody uses sleeps; 0: never (default: 600)",
      lease: "how long a home waits for a worker that is gone, in milliseconds (default: 5000)",
    },
    doctor: {
      database: (version: string) => `PostgreSQL ${version} answers and takes writes`,
      tables: (version: number) => `The tables have version ${version}, and the key fits`,
      fsync: "fsync is off: the database loses what it confirmed when its machine loses power",
      commits: "synchronous_commit is off: the database confirms what a crash can take back",
      noStandby: "No synchronous standby: if the database's machine is lost, so are the latest messages",
      standby: (count: number | string) => `Synchronous standbys: ${count}`,
      plain: "The connection is not encrypted. Add ?sslmode=verify-full to NANOBOT_CLUSTER_URL",
      clock: (seconds: number | string) => `This machine's clock differs from the database's by ${seconds} s`,
      connections: (needed: number | string, allowed: number | string) =>
        `The workers may need ${needed} connections; the database allows ${allowed} (max_connections)`,
      noWorker: "No worker is running",
      room: (free: number | string, homes: number | string) =>
        `Workers have room for ${free} more homes; ${homes} are served or wait`,
      full: (waiting: number | string) => `Workers are full, and ${waiting} homes wait: start another worker`,
      stuck: (id: string) =>
        `The home ${id} was given up after three attempts. Look at its log, then: ${nanobot} cluster homes resume ${id}`,
      nearQuota: (id: string, percent: number | string) => `The home ${id} uses ${percent} % of its space`,
      size: (megabytes: number | string) => `The database holds ${megabytes} MB`,
    },
    rotated: (count: number | string) =>
      `Homes that are sealed with the new key: ${count}. Now NANOBOT_CLUSTER_KEY_ALSO can be removed everywhere.`,
    prepared: "The database is ready. Add a home, then start a worker.",
    works: (name: string, port: number) =>
      `The worker ${name} is running, with its homes on port ${port}. Ctrl+C hands its homes over and ends it.`,
    empty: "No homes and no workers yet.",
    free: "waiting for a worker",
    suspended: "suspended",
    asleep: "asleep",
    failed: (id: string) =>
      `three workers could not keep it running; try again with: ${nanobot} cluster homes resume ${id}`,
    worker: (name: string, homes: number | string, capacity: number | string) =>
      `worker ${name}: ${homes} of ${capacity} homes`,
    unseen: "not seen for a while",
    home: (id: string, state: string, bytes: number | string, quota: number | string | null) =>
      `home ${id}: ${state}, ${bytes} bytes${quota === null ? "" : ` of ${quota}`}`,
    added: (id: string) => `The home ${id} was added. A worker begins it.`,
    moved: (id: string) => `The home ${id} was copied.`,
    hosted: (id: string, host: string) =>
      `${host} leads to the home ${id}. Its worker knows that after a restart of the home.`,
    suspends: (id: string) => `The home ${id} is suspended. A worker that runs it ends it within seconds.`,
    resumes: (id: string) => `The home ${id} goes on as soon as a worker has room.`,
    removed: (id: string) => `The home ${id} was removed.`,
    allowed: (id: string, what: string) =>
      `The home ${id} may use: ${what || "nothing beyond its own data"}. It counts when the home is started next.`,
    freedoms: `Name what it may use, with commas between: code, commands, network; or nothing.`,
    limited: (id: string, megabytes: number | string) =>
      `The home ${id} may keep ${megabytes === 0 ? "as much as it wants" : `${megabytes} MB`}.`,
    needsQuota: `Name a size in MB, or 0 for no limit: ${nanobot} cluster homes quota <home> <MB>`,
    handed: (id: string, worker: string) => `The home ${id} goes to the worker ${worker}.`,
    needsFolder: `Name a folder: ${nanobot} cluster homes import <home> <folder>`,
    actions: `Use ${nanobot} cluster homes with list, add, host, import, export, allow, quota, move, suspend, resume or remove.`,
  },
  outbox: {
    usage: {
      command: "messages that are not sent yet, or could not be",
      action: "what to do (default: list)",
      id: "number of a message in the list, or all",
    },
    empty: "Everything is sent.",
    states: { waiting: "waiting", sending: "being sent", dead: "given up" },
    row: (chat: string, state: string, tries: number | string) => `${chat}, ${state}, tried ${tries} times`,
    needsId: (command: string) => `Which one? ${command} <number>, or all`,
    retried: (count: number | string) => `Will be sent again: ${count}`,
    dropped: (count: number | string) => `Dropped: ${count}`,
    noSuch: (id: string) =>
      `There is no waiting or failed message "${id}". See their numbers with: ${nanobot} outbox list`,
  },
};
