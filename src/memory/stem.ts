// English words to a common form: run, runs, running and ran are one. Light on purpose: it joins forms of a word, and
// says nothing about words in other languages.

const irregular = new Map(
  `begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|child children kid kids
  choose chose chosen|come came|deal dealt|die died death|draw drew drawn|drink drank drunk|drive drove driven
  eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|foot feet
  forget forgot forgotten|give gave given|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept
  know knew known|lead led|leaf leaves|leave left|lend lent|life lives|lose lost loss|make made|man men|mean meant
  meet met|mouse mice|pay paid|person people|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
  seek sought|sell sold|send sent|shake shook shaken|shoot shot|show shown|sing sang sung|sit sat|sleep slept
  speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|strike struck|swim swam swum
  take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|tooth teeth
  understand understood|wake woke woken|wear wore worn|wife wives|win won|woman women|write wrote written`
    .split(/[|\n]/)
    .flatMap((group) => {
      const [first = "", ...others] = group.trim().split(" ");
      return others.map((other): [string, string] => [other, first]);
    }),
);

/** Of one family, the longest first. */
const endings =
  "ization ational fulness iveness ousness ation ness ment ator ally able ible ity ful ive ous ism ist ion al ly er or ic".split(
    " ",
  );

/** A word in lower case. */
export function stem(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return stem(known);
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const head = withoutParticiple(withoutPlural(word));
  const ending = endings.find((one) => head.length - one.length >= 4 && head.endsWith(one)) ?? "";
  const short = head.slice(0, head.length - ending.length);
  return short.replace(/(?<=...)[eiy]+$/, "");
}

function withoutPlural(word: string): string {
  if (/...ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutParticiple(word: string): string {
  const head = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1] ?? "";
  if (head.length < 2) return word;
  return head.replace(/([^aeiouylsz])\1$/, "$1");
}
