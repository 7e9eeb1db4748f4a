// What the program says to a person whose locale is Chinese, where the sentence was first made in English.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { anything, like, sentence } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { findFreePort } from "./support/free-port.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./support/run-program.ts";
import { type Ended, startProgram } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

const chinese = { LANG: "zh_CN.UTF-8" };

/** A run of words between what is quoted and what is typed. */
const englishSentence = /(?<![“/.\w-])[A-Za-z]+(?: [a-z]{2,}){3,}/;

function run(home: ProgramHome, ...argv: string[]): Promise<Ended> {
  return typeHere(argv, home.env);
}

async function failWith(status: number, message: string, env = chinese): Promise<Ended> {
  const model = await startFakeModel(() => ({ error: { status, message } }));
  return run(await createProgramHome(configFor(model.url), env), "agent", "-m", "hi");
}

describe("with a Chinese locale", () => {
  it.each([
    [401, "invalid key", /没能完成：.+ 不接受这个 API 密钥（401: invalid key）。.+ onboard/],
    [402, "no credit", /余额或额度已用完（402: no credit）。请到那里充值/],
    [404, "no such model", /不认识这个模型或地址（404: no such model）。请检查模型 ID 和 API 地址/],
  ])(
    "a host that answers %i is told with what to do, and what the host said",
    async (status, message, told) => {
      const { code, stderr } = await failWith(status, message);
      expect(code).toBe(1);
      expect(stderr).toMatch(told);
      expect(stderr).not.toMatch(/Check|did not|does not/);
    },
  );

  it("a retry says why in Chinese", async () => {
    const model = await startFakeModel((_, index) =>
      index === 0 ? { error: { status: 503, message: "busy" } } : { text: "ok" },
    );
    const home = await createProgramHome(configFor(model.url), chinese);
    const { stdout, stderr } = await run(home, "agent", "-m", "hi");
    expect(stdout).toBe("ok\n");
    expect(stderr).toMatch(/（503: busy）。.+秒后重试/);
    expect(stderr).not.toMatch(/Try again|overloaded|failed to/);
  });

  it("a custom server that does not run is told", async () => {
    const home = await createProgramHome(configFor(`http://127.0.0.1:${await findFreePort()}/v1`), chinese);
    expect((await run(home, "agent", "-m", "hi")).stderr).toMatch(
      /没能完成：本机的 .+ 没有回应（ECONNREFUSED/,
    );
  });

  it("a broken config is reported by place and reason, and so is the copy that is used", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url), chinese);
    await run(home, "agent", "-m", "hi");
    const broken = { agents: { defaults: { maxTokens: "many", temperature: true, timezone: "Mars" } } };
    await writeFile(join(home.home, "config.json"), JSON.stringify(broken));
    const { stdout, stderr } = await run(home, "agent", "-m", "hi");
    expect(stdout).toBe("ok\n");
    expect(stderr).toMatch(/^config\.json 目前无法使用，nanobot 改用上一份可用的副本 .+$/m);
    expect(stderr).toContain("agents.defaults.maxTokens: 必须是数字，而不是文本。\n");
    expect(stderr).toContain("agents.defaults.temperature: 必须是数字，而不是");
    expect(stderr).toContain("agents.defaults.timezone: 必须是时区");
    expect(stderr).not.toMatch(/must|cannot/);
  });

  it("warnings about a config are told, in status too", async () => {
    const config = { agnets: {}, providers: { openai: { apiKey: `\${NOT_SET_HERE}` } } };
    const { stdout } = await run(await createProgramHome(config, chinese), "status");
    expect(stdout).toContain("agnets: nanobot 不认识这个键，它不起作用。你是不是想写 agents？");
    expect(stdout).toContain("环境变量 NOT_SET_HERE 没有设置");
  });

  it("a model that cannot be asked is told with what is missing", async () => {
    const config = { agents: { defaults: { provider: "deepseek", model: "deepseek-chat" } } };
    const { code, stderr } = await run(await createProgramHome(config, chinese), "agent", "-m", "hi");
    expect(code).toBe(1);
    expect(stderr).toContain("“deepseek-chat”需要 DeepSeek 的密钥：请设置 DEEPSEEK_API_KEY，");
    expect(stderr).toContain("已配置的服务商：无。");
  });

  it("a file that is no JSON is told with line, column and reason", async () => {
    const { code, stderr } = await run(
      await createProgramHome('{\n  "a": 1,\n}', chinese),
      "agent",
      "-m",
      "hi",
    );
    expect(code).toBe(1);
    expect(stderr).toBe("config.json 不是有效的 JSON（第 3 行，第 1 列）：前面多了一个逗号或冒号。\n");
  });

  it.each([
    [
      "refuses the token",
      "9:wrong",
      sentence("channels.failed", {
        channel: "telegram",
        reason: phrase("channels.telegram-token", { status: 401 }),
      }),
      /telegram: 失败.*Telegram 不认识这个令牌（401）/,
    ],
    [
      "cannot be reached",
      undefined,
      sentence("channels.lost", {
        channel: "telegram",
        reason: phrase("channels.unreachable", { platform: "Telegram" }),
      }),
      /telegram: .*连不上 Telegram。/,
    ],
  ])("a channel whose platform %s is told in it, of a gateway in English", async (_, token, said, told) => {
    await using telegram = await startFakeTelegram();
    const wrong = token === undefined ? { token: "9:x", apiBase: "http://127.0.0.1:9" } : { token };
    const channels = {
      telegram: { enabled: true, apiBase: telegram.url, ...wrong },
      email: { enabled: true },
      pigeon: { enabled: true },
    };
    const home = await createProgramHome(configFor("http://127.0.0.1:9/v1", { channels }));
    const gateway = startProgram(nanobot("gateway", "--port", "0"), { env: home.env });
    await gateway.waitFor(said);
    const reader = { ...home, env: { ...home.env, ...chinese } };
    expect((await run(reader, "gateway", "status")).stdout).toMatch(told);
    for (const command of [["gateway", "status"], ["doctor"], ["status"]])
      expect((await run(reader, ...command)).stdout).not.toMatch(englishSentence);
    gateway.kill("SIGTERM");
    await gateway.ended;
  });
});

describe("with an English locale", () => {
  it("the same host is told in English", async () => {
    const { stderr } = await failWith(401, "invalid key", { LANG: "en_US.UTF-8" });
    expect(stderr).toMatch(
      like(sentence("model.authentication", { detail: "401: invalid key", host: anything })),
    );
  });
});
