// Chats: slash commands and what they answer, and the chat in the terminal, in English.
import { plural } from "./plural.ts";

export const englishChat = {
  reply: {
    helpHeading: "Commands you can send me:",
    helpFooter: "Anything else goes to the model.",
    commands: {
      help: "show this list",
      new: "start a new conversation; the old one is kept",
      status: "model, tokens, context, uptime",
      context: "what the next message would send, and what it costs",
      search: "find what was said earlier: /search <words>",
      forget: "forget what mentions these words, after asking you: /forget <words>",
      dream: "review recent conversations and keep what matters",
      "dream-log": "what Dream changed last, or in one version: /dream-log [id]",
      "skill-changes": "decide on changes that Dream proposes for skills",
      "dream-restore": "undo a change of memory: /dream-restore [id]",
      why: "where something I remember came from: /why <line or words>",
      compact: "summarise the conversation so far to make room: /compact [what matters]",
      undo: "undo what the last turn changed in files and the schedule",
      trust: "stop asking for a while: /trust [minutes]; or grant a skill what it wants: /trust <skill>",
      untrust: "ask again, and list what is always allowed: /untrust [number]",
      agents: "helpers that work in the background: /agents; stop one: /agents stop <number>",
      stop: "stop what is running in this conversation",
      trigger: "lets a program send messages to this chat: /trigger <name>, or remove <name>",
      cron: "reminders and scheduled tasks: /cron [remove, pause, resume or run <number or name>]",
      goal: "longer work in the background: /goal <what>; /goal [pause, resume, stop <number> or limit <tokens>]",
      usage: "what your models used",
      model: "choose another model for this conversation: /model [name or default]",
      title: "give this conversation a title: /title [title]; without one, the model finds it",
      export: "save this conversation as a Markdown file",
      pairing: "who has access to me: /pairing [approve, deny or revoke]",
      restart: "restart the gateway",
      confirm: "settings that wait for your consent: /confirm [setting]",
    },
    newSession: "New chat started. The old one is kept.",
    compacted: (count: number | string, tokens: string) =>
      `Archived ${plural(count, "message")} and freed about ${tokens} tokens. Nothing is lost: /search still finds it.`,
    nothingToCompact: "There is nothing to archive.",
    stopped: (count: number | string) => `Stopped ${plural(count, "task")}.`,
    nothingToStop: "Nothing is running.",
    stoppedMark: "(stopped)",
    changed: (path: string) => `Changed ${path}, which later chats start with:`,
    planned: "Changed the schedule:",
    undoChanged: "/undo takes it back.",
    unknownCommand: (name: string, nearest?: string) =>
      `There is no command "${name}". ${nearest === undefined ? "/help lists them." : `Did you mean "${nearest}"?`}`,
    takesNoArguments: (name: string) => `"${name}" takes no arguments. Did you mean just "${name}"?`,
    status: {
      version: (version: string) => `nanobot ${version}`,
      model: (model: string, host: string, why: string) => `Model: ${model} at ${host} (${why})`,
      tokens: (input: string, output: string, cachedPercent: number | string) =>
        `Tokens of the last turn: ${input} in, ${output} out (${cachedPercent}% of the input cached)`,
      estimatedTokens: (input: string) =>
        `Tokens of the last request: about ${input} (estimated: the provider does not count them)`,
      noTokens: "Tokens of the last turn: none yet",
      context: (used: string, total: string, percent: number | string) =>
        `Context: ${used} of ${total} (${percent}%)`,
      messages: (count: number | string) => `Conversation: ${plural(count, "message")}`,
      uptime: (duration: string) => `Running for ${duration}`,
      turns: (count: number | string) => `Working on: ${plural(count, "turn")}`,
    },
  },

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
    startedAgain: "The answer stalled, so it starts again.",
    failed: "failed",
    pipeIgnored: (seconds: number | string) =>
      `Nothing arrived on stdin within ${seconds} seconds, so only the message is sent. To wait for a slow program, pipe everything in without -m.`,
  },

  terminal: {
    moreLines: (count: number | string) => `${count} more ${count === 1 ? "line" : "lines"}`,
    hint: "/help, @file, $skill, !command; Ctrl-R: conversations, Esc: stop, Ctrl-D: quit.",
    thought: (time: string) => `∴ Thought for ${time} (Ctrl-T shows it)`,
    noThoughts: "There is no reasoning to show.",
    noModel: (command: string) => `Demo, no AI yet. Connect a model: ${command}`,
    escStops: "Esc stops",
    shared: (command: string) => `I ran \`${command}\` myself. This is what it printed:`,
    sharesNext: "Will be sent with your next message.",
    noImage:
      "There is no image in the clipboard, or this terminal cannot read it. Name a file with @ instead.",
    sessions: "Conversations (Enter opens, Esc goes back)",
    noSessions: "There is no conversation yet.",
    opened: (title: string) => (title === "" ? "Conversation without a title" : `Conversation: ${title}`),
    chatOf: (time: string) => `Chat from ${time}`,
    running: "working",
    elsewhere: (channel: string) => `from ${channel}`,
    tokens: (count: string) => `${count} tokens`,
    cached: (percent: number | string) => `${percent}% cached`,
    sandboxed: "sandbox",
    unsandboxed: "no sandbox",
    gateway: "gateway",
    lost: "gateway disconnected, trying again",
    back: "The gateway is back.",
    unanswered:
      "The gateway disconnected before it answered. Your message is kept, and the answer follows when it is back.",
    leave: "quit",
    plain: "plain lines instead of the full screen",
  },

  undo: {
    nothing: "There are no changes to undo in this conversation.",
    restored: (files: string) => `Restored to before the last turn: ${files}`,
    jobs: (names: string) => `The schedule is as before the last turn: ${names}`,
    left: (files: string) => `Not restored, because they changed since or were too large to keep: ${files}`,
    lost: (files: string) =>
      `Cannot be restored (too large, too many, or changed while another command ran): ${files}`,
    partial: "The workspace has more files than I keep track of, so changes to the others were not undone.",
    commands: (commands: string) => `What these commands did elsewhere was not undone: ${commands}`,
    more: (files: string, count: number) => `${files} and ${count} more`,
  },

  subagents: {
    none: "No helpers are working in this conversation.",
    row: (label: string, seconds: number | string, progress: string) =>
      `${label}: ${progress}, for ${seconds} s`,
    waiting: "waiting for its turn",
    progress: (step: number | string, calls: number | string) =>
      `step ${step}, ${plural(calls, "tool call")}`,
    stopped: (label: string) => `Stopped "${label}".`,
    usage: "Use /agents to list them, /agents stop <number> to stop one.",
  },

  answers: {
    model: {
      current: (model: string, host: string) => `This conversation uses ${model} at ${host}.`,
      known: "You can choose:",
      none: "No other models are set up. Use /model provider/model, or save models in the settings.",
      how: "/model <name> chooses one for this conversation; /model default goes back.",
      chosen: (model: string, host: string) =>
        `From your next message on, this conversation uses ${model} at ${host}.`,
      isDefault: (model: string, host: string) =>
        `This conversation uses the default model again: ${model} at ${host}.`,
    },
    restart: {
      begins: "Restarting. I'll finish what is running first.",
      done: (seconds: string) => `I'm back, after ${seconds} s.`,
      back: "I'm back.",
    },
    confirm: {
      head: "These settings of your config file have no effect until you confirm them:",
      row: (path: string) => `- /confirm ${path}`,
      done: (path: string) => `Confirmed: ${path}. It takes effect after a restart.`,
      nothing: "No setting waits for you.",
    },
    titled: (title: string) => `This conversation is called “${title}”.`,
    export: {
      done: (count: number | string, path: string) => `${count} messages are in ${path}`,
      title: "Conversation",
      language: "en",
      madeBy: "Saved from nanobot. Nothing in this file is loaded from anywhere.",
      you: "You",
      assistant: "Assistant",
      tool: (name: string) => `Tool ${name}`,
      calls: (names: string) => `(uses ${names})`,
    },
  },
};
