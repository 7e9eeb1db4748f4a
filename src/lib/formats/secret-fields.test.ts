import { describe, expect, it } from "vitest";
import { isDataFile, isSecretFile, withholdFields } from "./secret-fields.ts";

const mark = "<withheld>";

describe("in a file of settings, a value under the name of a secret is withheld at any length", () => {
  it.each([
    ["password: x", `password: ${mark}`],
    ["1| db:\n2|   pass: ab1\n3|   user: bob", `1| db:\n2|   pass: ${mark}\n3|   user: bob`],
    ["DB_PASS=a", `DB_PASS=${mark}`],
    ["PGPASS=abc", `PGPASS=${mark}`],
    ["export API_TOKEN='t0'", `export API_TOKEN='${mark}'`],
    ['{"token":"abc","max_tokens":4096}', `{"token":"${mark}","max_tokens":4096}`],
    ["secret_key = abc", `secret_key = ${mark}`],
    ["password: correct horse battery # old", `password: ${mark} # old`],
    [
      "- name: DB_PASSWORD\n  value: hunter2\n- name: MODE\n  value: prod",
      `- name: DB_PASSWORD\n  value: ${mark}\n- name: MODE\n  value: prod`,
    ],
    [
      "kind: Secret\nmetadata:\n  name: x\ndata:\n  foo: YWJj\ntype: Opaque",
      `kind: Secret\nmetadata:\n  name: x\ndata:\n  foo: ${mark}\ntype: Opaque`,
    ],
  ])("%j", (text, clean) => {
    expect(withholdFields(text, mark, { isData: true })).toBe(clean);
  });

  it.each([
    "key: Enter",
    "tokenizer: bpe",
    "token: $(cat token)",
    "password:",
    "max_tokens: 4096",
    "secret: true",
    "secretName: web",
  ])("and nothing of %j", (text) => {
    expect(withholdFields(text, mark, { isData: true })).toBe(text);
  });
});

describe("in what a command or a search shows", () => {
  it.each([
    ["config.yml:3:  password: hunter2", `config.yml:3:  password: ${mark}`],
    ["  password: hunter2", `  password: ${mark}`],
    ["DB_PASS=abc", `DB_PASS=${mark}`],
    ['x = {"secret": "ab"}', `x = {"secret": "${mark}"}`],
  ])("%j is withheld", (text, clean) => {
    expect(withholdFields(text, mark)).toBe(clean);
  });

  it.each([
    "password: string;",
    "const token = next();",
    "token: estimateTokens(text), tokenCount = messages.length",
    "apiKey: config.apiKey,",
    "function f(token: Token, pass: boolean)",
    "this.password = password;",
    "const apiKey = process.env.OPENAI_API_KEY2 ?? other",
    "{ token, secret: mySecret }",
    "The password: it is asked for later",
    "OPENAI_API_KEY=sk-... or OPENAI_API_KEY=$KEY",
  ])("code and prose stay: %j", (text) => {
    expect(withholdFields(text, mark)).toBe(text);
  });
});

it("knows files that hold settings, and those that hold nothing but secrets", () => {
  expect([".token", "a/.pgpass", ".netrc", "id_rsa", "x.pem", "token.txt"].filter(isSecretFile)).toHaveLength(
    6,
  );
  expect(["id_rsa.pub", "tokens.ts", "src/token.ts", "notes.md"].filter(isSecretFile)).toEqual([]);
  expect(
    [".env", ".env.local", "a/config.yml", "settings.json", "app.properties"].filter(isDataFile),
  ).toHaveLength(5);
});
