// What the demo says, where no AI model is connected, in English. The page shows its examples as buttons.

export const englishDemo = {
  demo: {
    intro:
      "Hello! This is a demo: no AI model is connected yet, so I understand only a few sentences. What I do is real, though. I remember, keep notes and lists, set reminders and work with your files. Nothing leaves this computer.",
    /** In an order in which they make a tour. */
    examples: [
      "My sister is called Ana",
      "What is my sister's name?",
      "Remind me in 1 minute to stretch",
      "Make a shopping list: milk, eggs, tea",
      "Show my shopping list",
      "Write a note: the tea shop opens at 9",
      "Show my notes",
      "List the files",
      "What would a model add?",
    ],
    tryThese: "Try one of these:",
    notUnderstood: "I don't understand that without an AI model.",
    noWords: "That message was empty.",
    connect: (command: string) => `Connect a model: ${command}`,
    connectOnPage: "Use the button below to connect a model.",
    tour: `With an AI model connected, I can:

- **talk** about anything, in any language, and understand what you mean
- **work on my own**: read and write files, run commands (I ask first), look things up on the web
- **learn** from our conversations, and remind you of what you told me weeks ago
- **plan**: "every weekday at 9, read me the news"
- **see** images and documents that you send
- **answer elsewhere**: Telegram, email and other chat apps`,
    welcome: "You're welcome.",
    goodbye: "Goodbye!",
    time: (time: string) => `It is ${time}.`,
    remembered: (fact: string) => `Got it, I'll remember that. ${fact}`,
    alreadyKnown: "I already know that.",
    unknown: "You haven't told me that yet. Tell me, and I'll remember it.",
    memories: "This is what I remember:",
    noMemories: "Nothing yet. Tell me something about you.",
    noted: (file: string) => `Done, it's in ${file}.`,
    alreadyNoted: (file: string) => `${file} already has that.`,
    notesHeading: "Notes",
    listHeading: (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)} list`,
    listMade: (name: string) => `Your ${name} list is ready. Say, for example: add milk to my ${name} list`,
    empty: (file: string) => `${file} is empty.`,
    missing: (file: string) => `There is no ${file} yet.`,
    image: (file: string) => `${file} is an image. With an AI model I could look at it.`,
    unread: "(There is more in the file.)",
    workspace: "your workspace",
    inFolder: (folder: string) => `In ${folder}:`,
    emptyFolder: "There is nothing in it.",
    failed: (reason: string) => `That didn't work: ${reason}`,
    noTool: (name: string) => `I may not do that here (${name}).`,
    timer: "your timer is up",
    reminding: (time: string, wait: string) => `OK, I'll remind you at ${time} (${wait}).`,
    repeating: (next: string) => `OK, it's planned. Next time: ${next}.`,
    needsGateway: (command: string) => `It only arrives while this runs: ${command}`,
    reminders: "Your reminders:",
    noReminders: "You have no reminders.",
    cancelled: (name: string) => `Removed: ${name}.`,
    noSuchReminder: "I can't find that reminder. Say: list my reminders",
    whichReminder: "Which one?",
  },
};
