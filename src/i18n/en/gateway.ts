// What the gateway says: its start and end, channels, jobs, pairing, usage.
import { nanobot, toOtherPort, toStartCommand } from "../../lib/program-command.ts";

export const englishGateway = {
  usage: {
    command: "run the assistant all the time: chats, schedule, web",
    action: "what to do (default: run it here)",
    port: "port to listen on",
    tail: "lines of the log to show",
    follow: "go on showing what is logged",
    dryRun: "only show the service that would be installed",
  },
  pairingCode: (code: string) =>
    `I do not know you yet. Ask my owner to admit you with this code, within ten minutes: ${code}`,
  apology:
    "Sorry: I tried three times to answer this message and was interrupted each time. I have set it aside. Please say it in another way.",
  apologyForSeveral:
    "Sorry: I tried three times to answer these messages and was interrupted each time. I have set them aside. Please say them in another way.",
  andMore: (count: number) => `(and ${count} more)`,
  answerInFile: (characters: string) =>
    `(This is the beginning of ${characters} characters: all of it is in the file.)`,
  answerInChat: (characters: string) =>
    `(This is the beginning of ${characters} characters, more than fits here. All of it is in this conversation on the web page.)`,
  address: {
    open: (host: string) =>
      `gateway.host is ${host}, so that others could use the assistant. Set api.apiKey in config.json to a secret, or gateway.host to 127.0.0.1.`,
    notPublic: (url: string) =>
      `gateway.publicUrl is ${JSON.stringify(url)}, which is no address. Write it as in a browser, such as https://bot.example.com`,
    taken: (port: number) =>
      `Port ${port} is in use by another program. Choose another port: ${toStartCommand(`--port ${toOtherPort(port)}`)}`,
    unusable: (host: string, port: number, code: string) =>
      `Nothing can be served at ${host}:${port} (${code}). Check gateway.host and gateway.port in config.json.`,
  },
  listening: (url: string) => `nanobot is at ${url}`,
  model: (model: string, host: string, why: string) => `Model: ${model} at ${host} (${why})`,
  channels: (names: string) => `Channels: ${names}`,
  noChannels: "No chat channel is enabled; see docs/channels.md.",
  stopHint: "Ctrl-C ends it; a second one at once.",
  draining:
    "Ending: what runs is finished first, for at most 45 seconds; what is left goes on at the next start. Once more ends it at once.",
  isRunning: (pid: number, url: string) =>
    `nanobot is already running (process ${pid}, ${url}). To stop it: ${nanobot} gateway stop`,
  isStarting: (pid: number) =>
    `nanobot is already starting (process ${pid}). When it is ready, get a link with: ${nanobot} web`,
  started: (pid: number, url: string) => `The gateway runs now (process ${pid}, ${url}).`,
  notStarted: (log: string) => `The gateway did not start. Look at ${log}`,
  serviceInstalled: (path: string) =>
    `${path} is installed and started. It also runs after you log out with: loginctl enable-linger`,
  serviceRemoved: "The service is gone.",
  noSystemd: (reason: string) =>
    `systemd did not do it (${reason}). Use ${nanobot} gateway start, or see the unit with: ${nanobot} gateway install-service --dry-run`,
  stopped: "The gateway has ended.",
  notStopped: (pid: number) => `The gateway (process ${pid}) is still finishing something.`,
  noLog: (path: string) => `Nothing was logged yet in ${path}`,
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
};
