// The catalogue in English. Its shape is the type of every other language: functions only interpolate.
import { nanobot } from "../../lib/program-command.ts";

import { englishCare } from "./care.ts";
import { englishDream } from "./dream.ts";
import { englishApproval, englishTrust } from "./guards.ts";
import { englishHouse } from "./house.ts";
import { englishMcp } from "./mcp.ts";
import { englishMemory } from "./memory.ts";
import { englishPhrases } from "./phrases/index.ts";
import { englishSandbox } from "./sandbox.ts";
import { englishSkills } from "./skills.ts";
import { englishSubagents } from "./subagents.ts";
import { englishTerminal } from "./terminal.ts";
import { englishTools } from "./tools.ts";
import { englishWeb } from "./web.ts";

const plural = (count: number | string, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const english = {
  usage: {
    summary: "nanobot is a personal AI assistant that runs on your own machine.",
    titles: {
      usage: "Usage:",
      arguments: "Arguments:",
      options: "Options:",
      globalOptions: "Options everywhere:",
      commands: "Commands:",
    },
    start: "Without a command it opens a chat in the terminal.",
    config: "config file to use; its folder becomes the home",
    workspace: "folder to work in instead of the configured one",
    verbose: "show the log on stderr",
    help: "show this help",
    version: "show the version",
    json: "print one JSON value",
    agent: "chat with the assistant, or ask once with -m or a pipe",
    agentMessage: "ask this once and print the answer; non-empty piped text is appended",
    agentMedia: "images and other files that go with the message",
    agentSession: "conversation to continue (default cli:direct)",
    onboard: "connect a model and write the first config",
    onboardProvider: "model host, such as anthropic, openai, deepseek or ollama",
    onboardModel: "model name",
    onboardApiBase: "address of the host's API",
    onboardApiKeyEnv: "environment variable that holds the key; its name is stored, not its value",
    onboardApiKeyStdin: "read the key from stdin",
    onboardNoTest: "do not try the model",
    onboardSkipBootstrap: "do not begin with a conversation to get to know each other",
    onboardYes: "ask nothing",
    status: "show what is configured, and what is missing",
    context: "show what the next message would send, and what it costs",
    contextWhat: "diff: what changed since the last request, and where the cached prefix breaks",
    contextSession: "conversation to look at (default cli:direct)",
    contextMessage: "the message that would be sent",
    contextRaw: "print exactly what would be sent, as JSON",
    memory: "search, explain, undo and forget what is remembered",
    memoryAction: "what to do",
    memoryYes: "forget without asking",
    memoryWords: "words to look for, or the id of a version",
    skills: "list, add and judge skills",
    skillsAction: "what to do (default: list)",
    skillsTarget: "a skill's name; for add a folder, zip file or Git address; for check a folder",
    skillsName: "which skill to add, where there are several",
    skillsYes: "ask nothing",
    skillsAllowFlagged: "add it although something suspicious was found",
    unknownCommand: (name: string, nearest?: string) =>
      `There is no command "${name}".${nearest === undefined ? "" : ` Did you mean "${nearest}"?`}`,
    unknownOption: (name: string, nearest?: string) =>
      `There is no option ${name}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    missingValue: (option: string) => `${option} needs a value.`,
    missingArgument: (form: string) => `The command is not complete: ${form}`,
    wrongValue: (option: string, value: string) => `${option} does not take "${value}".`,
    tooManyArguments: (given: string) =>
      `"${given}" is one argument too many. Put a message in quotes after -m.`,
    seeHelp: (command: string) => `See: ${command} --help`,
  },

  failure: {
    unexpected: (reason: string) =>
      `Something went wrong inside nanobot: ${reason}. Set NANOBOT_DEBUG=1 to see where.`,
    notAFolder: (path: string) => `${path} is not a folder. Name another one with --workspace.`,
    configMissing: (path: string) => `${path} does not exist; defaults are in use`,
    storeWaits:
      "I cannot store anything at the moment, so your message has to wait. It is not lost: I answer it as soon as that works again. /stop gives it up.",
    turnFailed: (reason: string) => `That did not work: ${reason}`,
    interrupted: "Interrupted.",
    noMessage: 'There is no message. Use -m "...", or pipe some text in.',
    noMedia: (path: string, code: string) => `${path} cannot be read (${code}); nothing was asked.`,
    silentPipe: (seconds: number | string) =>
      `Nothing arrived on stdin within ${seconds} s, so there is no message. Use -m "...", or pipe some text in.`,
    unfinishedPipe: (seconds: number | string) =>
      `The text on stdin did not end: silent for ${seconds} s. Put it into a file and use: ${nanobot} agent < file`,
    longPipe: (megabytes: number | string) =>
      `More than ${megabytes} MB arrived on stdin. Save it as a file in the workspace and name the file in a message.`,
    notText: "What arrived on stdin is not UTF-8 text. Save it as a file and name the file in a message.",
  },

  approval: englishApproval,

  trust: englishTrust,

  reply: {
    helpHeading: "What I understand besides ordinary messages:",
    helpFooter: "Everything else goes to the model.",
    commands: {
      help: "show this list",
      new: "start a new conversation; the old one is kept",
      status: "model, tokens, context, uptime",
      context: "what the next message would send, and what it costs",
      search: "find what was said earlier: /search <words>",
      forget: "forget what holds these words, after a question: /forget <words>",
      dream: "go through what was said lately and keep what matters",
      "dream-log": "what Dream changed last, or in one version: /dream-log [id]",
      "dream-restore": "undo a change of memory: /dream-restore [id]",
      why: "where something that I remember came from: /why <line or words>",
      compact: "summarise the conversation so far to make room: /compact [what matters]",
      undo: "put back the files that the last turn changed",
      trust: "do without questions for a while: /trust [minutes]; what is refused stays refused",
      untrust: "ask again; lists what is always allowed: /untrust [number]",
      agents: "what works in the background: /agents; end one: /agents stop <id>",
      stop: "stop what is running in this conversation",
      cron: "what is planned: /cron [remove, pause, resume or run <id>]",
      usage: "what the models have taken",
      model: "another model for this conversation: /model [name or default]",
      export: "this conversation as a Markdown file",
      pairing: "who may talk to me: /pairing [approve, deny or revoke]",
      restart: "start the gateway anew",
    },
    newSession: "A new conversation begins.",
    compacted: (count: number | string, tokens: string) =>
      `Archived ${plural(count, "message", "messages")} and freed about ${tokens} tokens. Nothing is lost: /search finds it.`,
    nothingToCompact: "There is nothing to archive.",
    stopped: (count: number | string) => `Stopped ${plural(count, "task", "tasks")}.`,
    nothingToStop: "Nothing is running.",
    stoppedMark: "(stopped)",
    unknownCommand: (name: string, nearest?: string) =>
      `There is no command "${name}". ${nearest === undefined ? "/help lists them." : `Did you mean "${nearest}"?`}`,
    takesNoArguments: (name: string) => `"${name}" takes no arguments. Did you mean just "${name}"?`,
    status: {
      version: (version: string) => `nanobot ${version}`,
      model: (model: string, host: string, why: string) => `Model: ${model} at ${host} (${why})`,
      tokens: (input: string, output: string, cachedPercent: number | string) =>
        `Tokens of the last turn: ${input} in, ${output} out (${cachedPercent}% of the input cached)`,
      estimatedTokens: (input: string) =>
        `Tokens of the last request: about ${input} (an estimate: the host does not count them)`,
      noTokens: "Tokens of the last turn: none yet",
      context: (used: string, total: string, percent: number | string) =>
        `Context: ${used} of ${total} (${percent}%)`,
      messages: (count: number | string) => `Conversation: ${plural(count, "message", "messages")}`,
      uptime: (duration: string) => `Running for ${duration}`,
      turns: (count: number | string) => `At work: ${plural(count, "turn", "turns")}`,
    },
  },

  context: {
    request: (session: string, model: string) => `The next request of ${session}, to ${model}:`,
    size: (tokens: string, budget: string, window: string) =>
      `about ${tokens} tokens of ${budget} that it may take (window ${window}).`,
    corrected: (ratio: string) => `Tokens are estimated, times ${ratio} by what the host counted last time.`,
    epochSince: (hash: string, since: string) => `Epoch ${hash}, frozen since ${since}.`,
    newEpoch: (reason: string) => `A new epoch begins with the next message: ${reason}.`,
    newHash: (hash: string) => `${hash} (new)`,
    cached: (tokens: string) => `About ${tokens} tokens repeat the last request.`,
    layerHead: ["Layer", "Tokens", "Characters", "Source", "Epoch"],
    toolHead: ["Tool", "Tokens", "Characters", "Source"],
    saidHead: ["Conversation", "Tokens", "Characters"],
    files: (count: number | string) => `${count} files`,
    said: {
      sent: (count: number | string) => `${plural(count, "message", "messages")} sent before`,
      unsent: (count: number | string) => `${plural(count, "message", "messages")} not yet sent`,
      text: "the next message",
      runtime: "its runtime context",
    },
    nothingSent: "Nothing was sent in this conversation yet, or nothing is left of it to compare with.",
    lastRequest: (at: string, model: string, epoch: string) =>
      `The last request: ${at}, to ${model}, in epoch ${epoch}.`,
    noChanges: "No file and no tool has changed since then.",
    announced: "Changed since then, told to the model with the next message:",
    merged: "Changed since then, part of the prompt from the next message on:",
    changes: { added: "new", changed: "changed", removed: "gone" },
    holds: "The cached prefix holds: the next request repeats the last one byte for byte.",
    breaks: (place: string, reason: string) => `The cached prefix breaks ${place}, because ${reason}.`,
    places: {
      start: "at the very beginning",
      tools: "at the list of tools",
      system: (layer: string, line: number | string) => `in the layer ${layer}, line ${line}`,
      history: (count: number | string) =>
        `in the conversation, after ${plural(count, "message", "messages")}`,
      nowhere: "although the bytes are the same",
    },
    reasons: {
      "first-turn": "this is the first message",
      "model-changed": "another model answers",
      idle: "the pause was longer than hosts remember",
      "prefix-lost": "the stored prefix is gone",
      consolidated: "older messages were summarised",
      "too-long": "the conversation no longer fits the window",
      compressed: "the history is shortened before it is sent",
    },
    tail: (tokens: string) => `About ${tokens} tokens are new to the host.`,
    told: "What the model will be told:",
    systemDiff: "What changes in the system text:",
  },

  dream: englishDream,

  memory: englishMemory,

  status: {
    version: "Version",
    home: "Home",
    config: "Config",
    source: {
      file: "in use",
      "last-good": "broken; the last good copy is in use",
      defaults: "none yet; defaults and the environment are in use",
      broken: "broken, and there is no good copy",
    },
    workspace: "Workspace",
    notThere: "not there yet; the first message makes it",
    model: "Model",
    modelAt: (model: string, host: string) => `${model} at ${host}`,
    because: "Because",
    key: "Key",
    keyPresent: "present",
    keyMissing: "missing",
    keyNotNeeded: "not needed",
    files: "Files",
    restricted: "confined to the workspace",
    unrestricted:
      "NOT confined: tools reach every file that you can reach (tools.restrictToWorkspace is false)",
    commands: "Commands",
    commandsAsk: "a few harmless ones run at once, all others are asked about",
    commandsOff: "switched off (tools.exec.enable is false)",
    sessions: "Conversations",
    gateway: (pid: number | string) =>
      `A gateway of the Python original runs on this home (process ${pid}). Stop it first, or both will write the same files.`,
    next: "Next",
    nextOnboard: `connect a model: ${nanobot} onboard`,
    nextFixConfig: (path: string) => `correct what is named above in ${path}`,
    nextNothing: `nothing is missing; try: ${nanobot} agent -m "hello"`,
  },

  onboard: {
    intro: "Which model shall answer?",
    chooseHost: "Host",
    keyFound: (variable: string) => `key found in ${variable}`,
    runsHere: (count: number | string) => `runs on this machine, ${plural(count, "model", "models")}`,
    customHost: "another address (OpenAI-compatible)",
    askAddress: "Address of the API, such as http://localhost:8080/v1",
    askKey: (host: string) => `Key for ${host} (stored in the config file, which only you can read)`,
    askOptionalKey: (host: string) => `Key for ${host}; leave empty if it needs none`,
    chooseKey: "Key",
    useKeyFrom: (variable: string) => `take it from ${variable}`,
    enterKey: "enter one",
    askModel: "Model",
    otherModel: "another one",
    trying: (model: string, host: string) => `Trying ${model} at ${host}`,
    works: (duration: string) => `It answered after ${duration}.`,
    otherSide: (host: string) => `The key belongs to ${host}, so that is used.`,
    afterFailure: "What now?",
    changeKey: "enter another key",
    changeModel: "choose another model",
    tryAgain: "try again",
    keepAnyway: "keep it anyway",
    saved: (path: string) => `Saved in ${path}.`,
    templates: (count: number | string, workspace: string) =>
      `${plural(count, "file", "files")} made in ${workspace}.`,
    done: `Done. Start with: ${nanobot}`,
    cancelled: "Stopped. Nothing was changed.",
    needsTerminal:
      "Questions need a terminal. Without one, use --yes with --provider, --model and --api-key-env or --api-key-stdin.",
    needsHost: "No key, address or local model was found. Name a host: --provider <name>",
    unknownHost: (name: string, nearest?: string) =>
      `There is no model host "${name}".${nearest === undefined ? "" : ` Did you mean "${nearest}"?`} A name of your own needs --api-base.`,
    needsKey: (host: string, variable: string) =>
      `${host} needs a key. Set ${variable}, or use --api-key-env or --api-key-stdin.`,
    needsModel: (host: string) => `No model is named for ${host}. Use --model <name>`,
    needsAddress: (host: string) => `${host} needs the address of its API. Use --api-base <url>`,
    wrongAddress: "--api-base must be an address that begins with http:// or https://",
    wrongVariable: "--api-key-env takes the name of an environment variable, not a key.",
    variableNotSet: (variable: string) => `${variable} is not set. Set it first, or use --no-test.`,
    twoKeys: "Use either --api-key-env or --api-key-stdin.",
    noKeyOnStdin: "No key arrived on stdin.",
    trialFailed: (reason: string) => `${reason} Nothing was changed; --no-test keeps it anyway.`,
    notSaved: (problems: string) => `The config was not changed: ${problems}`,
  },

  ...englishHouse,
  care: englishCare,
  mcp: englishMcp,
  tools: englishTools,

  terminal: englishTerminal,
  undo: {
    nothing: "No turn of this conversation has changed files that could be put back.",
    restored: (files: string) => `Put back as before the last turn: ${files}`,
    left: (files: string) => `Left alone, because changed since or too large to have been kept: ${files}`,
    lost: (files: string) => `Cannot be put back, because too large or too many to have been kept: ${files}`,
    partial: "The workspace has more files than I keep track of. Changes to the others are not undone.",
    commands: (commands: string) => `Not undone is what these commands did elsewhere: ${commands}`,
    more: (files: string, count: number) => `${files} and ${count} more`,
  },
  web: englishWeb,
  sandbox: englishSandbox,

  skills: englishSkills,

  subagents: englishSubagents,

  /** Coded sentences: made as data, rendered by `say`. */
  phrases: englishPhrases,

  chat: {
    lockWaiting: (holder: string) => `Waiting for another nanobot that is at work on this home (${holder}).`,
    thinking: "thinking",
    writing: "writing",
    running: (what: string) => `running ${what}`,
    stopped: "stopped",
    ctrlCStops: "Ctrl-C stops",
    ctrlCAgainLeaves: "Press Ctrl-C again to leave.",
    stopping: "Stopping. Ctrl-C again leaves.",
    followUp: "(added to the running answer)",
    retry: (reason: string, seconds: number | string, attempt: number | string) =>
      `${reason} Trying again in ${seconds} s (attempt ${attempt}).`,
    fallback: (from: string, to: string, reason: string) =>
      `${reason} Going on with ${to} instead of ${from}.`,
    imagesDropped: (reason: string) => `Images were left out: ${reason}`,
    startedAnew: "The answer stalled and begins anew.",
    failed: "failed",
    pipeIgnored: (seconds: number | string) =>
      `Nothing arrived on stdin within ${seconds} s; only the message is sent. To wait for a slow producer, pipe everything in without -m.`,
  },
};
