// What is said about taking back what a turn did to files.
export const englishUndo = {
  nothing: "No turn of this conversation has changed files that could be put back.",
  restored: (files: string) => `Put back as before the last turn: ${files}`,
  left: (files: string) => `Left alone, because changed since or too large to have been kept: ${files}`,
  commands: (commands: string) => `Not undone is what these commands did: ${commands}`,
};
