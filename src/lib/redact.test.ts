import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packageRoot } from "./package-root.ts";
import { createRedactor, secretMark } from "./redact.ts";

const mark = secretMark;

describe("a secret by value", () => {
  it("is withheld wherever it is, the longest first", () => {
    const redactor = createRedactor();
    for (const secret of ["correct horse", "correct horse battery", undefined]) redactor.add(secret);
    expect(redactor.redact("x correct horse battery, correct horse!")).toBe(`x ${mark}, ${mark}!`);
    expect(redactor.redactValues("x correct horse battery")).toBe(`x ${mark}`);
  });

  it("is withheld in JSON, in an address and in base64, whatever follows it", () => {
    const redactor = createRedactor();
    const secret = 'pa"ss\\wo rd&更';
    redactor.add(secret);
    expect(redactor.redact(JSON.stringify({ a: secret }))).toBe(`{"a":"${mark}"}`);
    expect(redactor.redact(`https://a.example/${encodeURIComponent(secret)}`)).toBe(
      `https://a.example/${mark}`,
    );
    for (const start of ["", "a", "ab", "abc"])
      for (const end of ["", "\n", "more"])
        expect(redactor.redact(Buffer.from(start + secret + end).toString("base64"))).toContain(mark);
  });

  it("is left alone when it is so short that it would blank ordinary words, or means none", () => {
    const redactor = createRedactor();
    for (const value of ["", "key", "1234567", "lm-studio", "not-needed"]) redactor.add(value);
    const text = "the key 1234567 of lm-studio is not-needed";
    expect(redactor.redact(text)).toBe(text);
  });

  it("never gets through", () => {
    const redactor = createRedactor();
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(
          !mark.includes(secret) &&
            !"lm-studio not-needed no-key-required no-api-key undefined".includes(secret),
        );
        redactor.add(secret);
        expect(redactor.redactValues(before + secret + after).replaceAll(mark, "")).not.toContain(secret);
      }),
    );
  });
});

describe("a secret by shape", () => {
  const redactor = createRedactor();

  it.each([
    ["OpenAI", "sk-proj-Abcdefghij0123456789_-xyz"],
    ["OpenAI, older", "sk-abcdefghijklmnop0123456789"],
    ["Anthropic", "sk-ant-api03-AbCdEf0123456789-abcdef"],
    ["OpenRouter", "sk-or-v1-0123456789abcdef0123456789abcdef"],
    ["DashScope", "sk-0123456789abcdef0123456789abcdef"],
    ["Stripe", "sk_live_0123456789abcdefgh"],
    ["xAI", "xai-0123456789abcdefABCDEF0123"],
    ["Groq", "gsk_0123456789abcdefABCDEF0123"],
    ["NVIDIA", "nvapi-0123456789abcdefABCDEF0123"],
    ["Hugging Face", "hf_abcdefGHIJ0123456789abcdef"],
    ["Tavily", "tvly-dev-0123456789abcdefABCD"],
    ["GitHub", "ghp_0123456789abcdefABCDEF0123456789abcd"],
    ["GitHub, fine-grained", "github_pat_11ABCDEFG0abcdefghij_0123456789"],
    ["GitLab", "glpat-0123456789abcdefABCD"],
    ["Slack", "xoxb-123456789012-123456789012-abcdefGHIJ"],
    ["Google", "AIzaSyA0123456789abcdefghijklmnopqrstuv"],
    ["AWS", "AKIAIOSFODNN7EXAMPLF"],
    ["Telegram", "123456789:AAH0123456789abcdefghijklmnopqrstuvw"],
    ["Zhipu", "0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp"],
    ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"],
  ])("of %s", (_, key) => {
    expect(redactor.redact(`it is ${key}, see?`)).toBe(`it is ${mark}, see?`);
    expect(redactor.redact(`{"x":"${key}"}`)).toBe(`{"x":"${mark}"}`);
    expect(redactor.redactValues(key)).toBe(key);
  });

  it.each([
    ["a header", "Authorization: Bearer abc.def", `Authorization: Bearer ${mark}`],
    ["a header in JSON", '{"authorization":"Basic YTpi"}', '{"authorization":"Basic YTpi"}'],
    ["a longer one", '{"authorization":"Basic YW5uOnBhc3M="}', `{"authorization":"Basic ${mark}"}`],
    ["a bearer", "bearer 0123456789abcdef01", `bearer ${mark}`],
    ["an address with a password", "http://ann:hunter2x@proxy:8080/", `http://ann:${mark}@proxy:8080/`],
    ["a database", "postgres://app:s3cr3t@db/x", `postgres://app:${mark}@db/x`],
    [
      "a parameter",
      "https://a.example/?q=1&api_key=abcdef0123456789",
      `https://a.example/?q=1&api_key=${mark}`,
    ],
    ["a variable", "3| export DB_PASSWORD='hunter2!'", `3| export DB_PASSWORD='${mark}'`],
    ["a setting", 'clientSecret: "abcdef0123456789abcd"', `clientSecret: "${mark}"`],
    ["a setting in JSON", '"apiKey": "abcdef0123456789abcd"', `"apiKey": "${mark}"`],
    [".npmrc", "//r/:_authToken=abcdef0123456789abcd", `//r/:_authToken=${mark}`],
    [
      "AWS's file",
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      `aws_secret_access_key = ${mark}`,
    ],
    [
      ".netrc",
      "machine a.example login ann password hunter2",
      `machine a.example login ann password ${mark}`,
    ],
    [
      ".netrc in numbered lines",
      "1| machine a.example\n2|   login ann\n3|   password hunter2\n",
      `1| machine a.example\n2|   login ann\n3|   password ${mark}\n`,
    ],
    [
      "a private key",
      "a\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n-----END OPENSSH PRIVATE KEY-----\nb",
      `a\n${mark}\nb`,
    ],
    ["the beginning of a private key", "1| -----BEGIN RSA PRIVATE KEY-----\n2| MIIE", `1| ${mark}`],
  ])("in %s", (_, text, clean) => {
    expect(redactor.redact(text)).toBe(clean);
  });

  it.each([
    "Use Bearer authentication with a token; the token is in api_key.",
    "pip install sk-learn-contrib-extras hf-transformers-models",
    "const apiKey = process.env.OPENAI_API_KEY2 ?? config.providers.openai.apiKey2;",
    "token: estimateTokens(text), tokenCount = messages.length",
    "OPENAI_API_KEY=sk-... or OPENAI_API_KEY=$KEY or OPENAI_API_KEY=<your key>",
    "password manager, password hashing; login and password are asked for",
    "https://user:password@host and https://host:8080/@scope/name and a@b.example:",
    "git@github.com:nodejs/node.git, ssh://git@host:22/x, npm:@scope/pkg@1.2.3",
    "sha256-abcdef0123456789 d41d8cd98f00b204e9800998ecf8427e 2026-11-15T10:00:00",
    "key: 'ArrowLeft', keyboard: qwertyuiopasdfgh, primaryKey: customer_identifier",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  ])("is not seen in %s", (text) => {
    expect(redactor.redact(text)).toBe(text);
  });

  it("is not seen in this project's sources and documents", () => {
    const folders = ["src", "docs", "skills", "templates", "scripts", "bench"];
    const files = folders.flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    );
    const texts = [...files, "README.md", "README.zh-CN.md", "AGENTS.md", "CHANGELOG.md"].filter(
      (name) => /\.(ts|mjs|md|json)$/.test(name) && !/\.test\.ts$|bench[\\/]samples/.test(name),
    );
    expect(texts.length).toBeGreaterThan(300);
    const changed = texts.filter((name) => {
      const text = readFileSync(join(packageRoot, name), "utf8");
      return redactor.redact(text) !== text;
    });
    expect(changed).toEqual([]);
  });
});
