import { expect, it } from "vitest";
import type { CommandContext } from "../../agent/commands.ts";
import { type Asking, yesOrNo } from "../../bus/ask.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords } from "../../i18n/words.ts";
import type { Client } from "../client.ts";
import { toCommands } from "./command.ts";

it("what an operation asks is put to the person who gave the command", async () => {
  const question: Asking = { phrase: phrase("approval.schedule"), detail: "two lines", choices: yesOrNo };
  const client: Client = {
    isServed: true,
    call: async (_name, _params, options) => (await options?.ask?.(question)) as never,
  };
  const asked: Asking[] = [];
  const context = {
    words: createWords("english"),
    sessionKey: "fake:room",
    origin: { person: "li", role: "guest" },
    ask: async (asking: Asking) => {
      asked.push(asking);
      return { choice: "yes" };
    },
  } as unknown as CommandContext;
  const [command] = toCommands(
    [{ name: "wipe", when: "now", run: async (call) => String(await call.client.call("ping", {})) }],
    { clientFor: async () => client, now: () => 0 },
  );
  expect(await command?.run(context, "")).toBe("yes");
  expect(asked).toEqual([question]);
});
