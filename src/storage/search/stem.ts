// English words to a common form: run, runs, running and ran are one. Leaves words of other languages as they are.
import vocabulary from "./vocabulary.json" with { type: "json" };

const irregular = new Map(
  vocabulary.irregular.flatMap((group) => {
    const [first = "", ...others] = group.split(" ");
    return others.map((other): [string, string] => [other, first]);
  }),
);
/** Of one family, the longest first. */
const endings =
  /(?<=....)(?:ization|ational|fulness|iveness|ousness|ation|ness|ment|ator|ally|able|ible|ity|ful|ive|ous|ism|ist|ion|al|ly|er|or|ic)$/;

/** A word in lower case. */
export function stem(word: string): string {
  const regular = irregular.get(word) ?? word;
  if (regular.length < 4 || !/^[a-z]+$/.test(regular)) return regular;
  const singular = regular.replace(/(?<=...)ies$/, "y").replace(/(?<=ss|sh|ch|x|z)es$|(?<=[^su])s$/, "");
  const head = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(singular)?.[1] ?? "";
  const base = head.length < 2 ? singular : head.replace(/([^aeiouylsz])\1$/, "$1");
  return base
    .replace(endings, "")
    .replace(/(?<=...)e$/, "")
    .replace(/(?<=..)y$/, "i");
}
