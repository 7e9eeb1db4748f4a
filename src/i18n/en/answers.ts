// What slash commands about the conversation and the program answer, in English: /model, /restart, /export.
export const englishAnswers = {
  model: {
    current: (model: string, host: string) => `This conversation uses ${model} at ${host}.`,
    known: "You can choose:",
    none: "No other models are set up. Name one as /model host/model, or add presets under modelPresets in config.json.",
    how: "/model <name> chooses one for this conversation; /model default goes back.",
    chosen: (model: string, host: string) =>
      `From the next message on this conversation uses ${model} at ${host}.`,
    isDefault: (model: string, host: string) =>
      `This conversation uses the usual model again: ${model} at ${host}.`,
  },
  restart: {
    begins: "Restarting. I'll finish what is running first.",
    done: (seconds: string) => `I'm back, after ${seconds} s.`,
    back: "I'm back.",
  },
  export: {
    done: (count: number | string, path: string) => `${count} messages are in ${path}`,
    title: (key: string) => `Conversation ${key}`,
    you: "You",
    assistant: "Assistant",
    tool: (name: string) => `Tool ${name}`,
    calls: (names: string) => `(uses ${names})`,
  },
};
