import { expect, test } from "vitest";
import { mcpServerSchema } from "./config.ts";
import { serverSecrets } from "./secrets.ts";

test.each([
  [{ env: { GITHUB_TOKEN: "abc", DB_PASSWORD: "def", GITHUB_PAT: "ghi" } }, ["abc", "def", "ghi"]],
  [{ env: { HOME: "/home/me", MODE: "production", ROOT: "/very/long/path/with/letters/and/1234" } }, []],
  [{ env: { ODD_NAME: "a1b2c3d4e5f6a7b8c9d0e1f2" } }, ["a1b2c3d4e5f6a7b8c9d0e1f2"]],
  [{ headers: { Authorization: "Bearer abc", Accept: "application/json" } }, ["Bearer abc", "abc"]],
  [{ args: ["--api-key", "abc", "--token=def", "--verbose", "value"] }, ["abc", "def"]],
  [{ args: ["-y", "@scope/server-with-a-long-name", "/data/1234567890"] }, []],
  [{ url: "https://user:p%40ss@example.com/mcp?apiKey=abc&page=2" }, ["abc", "p@ss"]],
  [{ url: "not an address" }, []],
])("of %j these are secret: %j", (config, secrets) => {
  expect(serverSecrets(mcpServerSchema.parse(config))).toEqual(secrets);
});
