// Names in a text where a platform marks no mentions: whether the assistant is named, and the text without it.

/** As a whole word; letters of other scripts may follow at once. */
export function isNamed(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${toPattern(name)}(?![\\w-])`, "i").test(text);
}

/** Without the name that the text begins with. */
export function withoutName(text: string, names: readonly string[]): string {
  const found = names.map((name) => `@?${toPattern(name)}`).join("|");
  return text.replace(new RegExp(`^(?:${found})(?![\\w-])[:,，：]?\\s*`, "i"), "");
}

function toPattern(name: string): string {
  return name.replaceAll(/[^\w-]/g, "\\$&");
}
