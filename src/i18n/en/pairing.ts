// What is said about people who are admitted, and about messages that could not be sent, in English.
export const englishPairing = {
  usage: {
    command: "who may talk to the assistant in chat apps",
    action: "what to do (default: list)",
    code: "pairing code; for revoke: channel and id",
    owner: "as the owner, who may do everything",
    person: "name of the person; two senders with one name are one person",
  },
  nobody: "No one has access yet, and no requests are pending.",
  waiting: "Waiting:",
  admitted: "Admitted:",
  request: (code: string, who: string, valid: string) => `\`${code}\`: ${who}, valid for ${valid}`,
  sender: (channel: string, id: string) => `${channel} ${id}`,
  named: (name: string, sender: string) => `${name} (${sender})`,
  roles: { owner: "owner", guest: "guest" },
  pair: (who: string, role: string) => `${who}: ${role}`,
  guest: (person: string) => `guest \`${person}\``,
  approved: (who: string, role: string) => `Admitted: ${who}, as ${role}.`,
  denied: "Refused.",
  revoked: (sender: string) => `${sender} is not admitted any more.`,
  needsCode: (command: string) => `Which code? ${command} <code>`,
  needsSender: (command: string) => `Whom? ${command} <channel> <id>`,
  help: "/pairing approve <code> [owner], deny <code>, revoke <channel> <id>",
};

export const englishOutbox = {
  usage: {
    command: "messages that are not sent yet, or could not be",
    action: "what to do (default: list)",
    id: "id of a message, or all",
  },
  empty: "Everything is sent.",
  states: { waiting: "waits", sending: "is being sent", dead: "given up" },
  row: (chat: string, state: string, tries: number | string) => `${chat}, ${state}, tried ${tries} times`,
  needsId: (command: string) => `Which one? ${command} <id>, or all`,
  retried: (count: number | string) => `To be sent again: ${count}`,
  dropped: (count: number | string) => `Dropped: ${count}`,
  noSuch: (id: string) =>
    `There is no message "${id}" that waits or was given up. List them to see their ids.`,
};
