// Texts of one topic, English and Chinese side by side, split into one catalogue for each language.

/** The same text in English and in Chinese. */
type Pair<Text> = readonly [english: Text, chinese: Text];

interface PairTree {
  readonly [key: string]: Pair<unknown> | PairTree;
}

type Catalogue<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends Pair<infer Text> ? Text : Catalogue<Tree[Key]>;
};

export function catalogue<Tree extends PairTree>(tree: Tree) {
  return { english: pick(tree, 0), chinese: pick(tree, 1) };
}

/** Texts that are looked up by a name from elsewhere, which may be missing. */
export function lookup<Text>(texts: Record<string, Pair<Text>>): Record<string, Pair<Text>> {
  return texts;
}

function pick<Tree extends PairTree>(tree: Tree, language: 0 | 1): Catalogue<Tree> {
  const texts = Object.entries(tree).map(([key, text]) => [
    key,
    isPair(text) ? text[language] : pick(text, language),
  ]);
  return Object.fromEntries(texts) as Catalogue<Tree>;
}

function isPair(text: Pair<unknown> | PairTree): text is Pair<unknown> {
  return Array.isArray(text);
}
