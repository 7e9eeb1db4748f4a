// Words of a topic with both languages side by side, taken apart into one catalogue for each.

/** The same in English and in Chinese. */
type Pair<Meaning> = readonly [english: Meaning, chinese: Meaning];

interface Words {
  readonly [key: string]: Pair<unknown> | Words;
}

type Catalogue<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends Pair<infer Meaning> ? Meaning : Catalogue<Tree[Key]>;
};

export function speak<Tree extends Words>(tree: Tree) {
  return { english: choose(tree, 0), chinese: choose(tree, 1) };
}

/** Words that are looked up by a name from elsewhere, which may be missing. */
export function open<Meaning>(words: Record<string, Pair<Meaning>>): Record<string, Pair<Meaning>> {
  return words;
}

function choose<Tree extends Words>(tree: Tree, language: 0 | 1): Catalogue<Tree> {
  const words = Object.entries(tree).map(([key, word]) => [
    key,
    isPair(word) ? word[language] : choose(word, language),
  ]);
  return Object.fromEntries(words) as Catalogue<Tree>;
}

function isPair(word: Pair<unknown> | Words): word is Pair<unknown> {
  return Array.isArray(word);
}
