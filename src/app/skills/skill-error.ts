// A skill cannot be added or changed; the message says why, in the language of whoever asked.

export class SkillError extends Error {
  override name = "SkillError";
}
