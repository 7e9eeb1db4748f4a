import fc from "fast-check";
import { expect, test } from "vitest";
import { maskSecrets, restoreMasked } from "./mask.ts";

const mark = "••••••••";
const mask = (tree: unknown, secrets: string[] = []) => maskSecrets(tree, { mark, secrets });

test("what a name, a block or a known value says is secret is not shown", () => {
  const tree = {
    apiKey: "short",
    telegram: { token: "1:a", allowFrom: ["42"] },
    env: { LANG: "C" },
    extraHeaders: { "X-A": "b" },
    args: ["--with", "known-secret", "url=https://a/known-secret?x"],
    empty: { apiKey: "" },
    count: 5,
  };
  expect(mask(tree, ["known-secret"])).toEqual({
    apiKey: mark,
    telegram: { token: mark, allowFrom: ["42"] },
    env: { LANG: mark },
    extraHeaders: { "X-A": mark },
    args: ["--with", mark, mark],
    empty: { apiKey: "" },
    count: 5,
  });
});

test("a reference tells where a secret is, and is shown", () => {
  const tree = { apiKey: `\${OPENAI_API_KEY}`, headers: { authorization: `Bearer \${TOKEN}` } };
  expect(mask(tree)).toEqual(tree);
  expect(mask({ apiKey: `\${A}-and-more` })).toEqual({ apiKey: mark });
});

const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("apiKey", "token", "env", "headers", "name"), fc.string()),
      tie("tree"),
      { maxKeys: 4 },
    ),
  ),
})).tree;

test("masked and put back it is what it was, whatever it is", () => {
  fc.assert(
    fc.property(tree, fc.array(fc.string({ minLength: 6 }), { maxLength: 3 }), (value, secrets) => {
      expect(restoreMasked(mask(value, secrets), value, mark)).toEqual(value);
    }),
  );
});

test("no secret of a certain length is left anywhere", () => {
  fc.assert(
    fc.property(tree, fc.stringMatching(/^[a-z0-9]{8,20}$/), (value, secret) => {
      const planted = {
        a: value,
        list: [value, `x${secret}y`],
        env: { B: secret },
        deep: { apiKey: secret },
      };
      expect(JSON.stringify(mask(planted, [secret]))).not.toContain(secret);
    }),
  );
});

test("a mark where there is nothing is nothing", () => {
  expect(restoreMasked(mark, undefined, mark)).toBeUndefined();
  expect(restoreMasked([mark, "a"], ["b"], mark)).toEqual(["b", "a"]);
  expect(restoreMasked({ a: mark }, { a: { b: 1 } }, mark)).toEqual({ a: undefined });
});
