import { describe, expect, test } from "vitest";
import { asLoaded, createConfigHome } from "../../test/support/config-home.ts";
import { collectSecrets } from "./secrets.ts";

describe("secrets", () => {
  test("are found wherever the config can hold one", async () => {
    const home = await createConfigHome({
      providers: {
        openai: {
          apiKey: "s1",
          extraHeaders: { Authorization: "Bearer s2", "X-Api-Key": "s3" },
          api_kee_token: "s4",
        },
      },
      channels: {
        telegram: { token: "s5", webhookSecretToken: "s6" },
        email: { imapPassword: "s7" },
        feishu: { appSecret: "s8", encryptKey: "s9" },
      },
      tools: { mcpServers: { git: { env: { GITHUB_TOKEN: "s10" } } }, web: { search: { apiKey: "s11" } } },
      api: { apiKey: "$" + "{FROM_ENVIRONMENT}" },
    });
    const { secrets } = asLoaded(await home.load({ FROM_ENVIRONMENT: "s12" }));
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `s${n}`);
    expect(secrets).toEqual(expect.arrayContaining(expected));
  });

  test("are not ordinary settings", () => {
    const tree = {
      maxTokens: 5,
      tokenIssuePath: "/issue",
      keyboard: "qwerty",
      model: "m",
      env: { PATH: "/bin" },
      apiKey: "",
    };
    expect(collectSecrets(tree)).toEqual([]);
  });

  test("of an environment are told by the names of the variables", () => {
    expect(collectSecrets({ OPENAI_API_KEY: "a", HOME: "/h", DB_PASSWORD: "b", KEYMAP: "us" })).toEqual([
      "a",
      "b",
    ]);
  });

  test("are found by their look where names are anyone's choice, and in addresses", () => {
    const tree = {
      providers: {
        x: { proxy: "http://ann:p%40ssw0rd@proxy:80", extraHeaders: { "X-Team": "abcdef0123456789" } },
      },
      tools: {
        mcpServers: {
          a: {
            env: { DATABASE_URL: "postgres://app:hunter2x@db/x", LOG: "debug" },
            headers: { "X-Id": "blue" },
          },
          b: { args: ["--api-key", "s1", "--verbose", "--token=s2", "plain"] },
        },
      },
    };
    expect(collectSecrets(tree)).toEqual([
      "p%40ssw0rd",
      "p@ssw0rd",
      "abcdef0123456789",
      "hunter2x",
      "s1",
      "s2",
    ]);
  });

  test("are not the places where they are", () => {
    expect(
      collectSecrets({ SSH_KEY: "/home/ann/.ssh/id", DEPLOY_KEY: "~/keys/a.pem", A_KEY: "/x+y=" }),
    ).toEqual(["/x+y="]);
  });

  test("that cannot be decoded are taken as they are", () => {
    expect(collectSecrets({ proxy: "http://u:%zz@host" })).toEqual(["%zz"]);
  });
});
