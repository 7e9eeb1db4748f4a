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
});
