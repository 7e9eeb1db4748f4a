// `/forget`: what holds the words is shown, asked about and forgotten, in a chat and in the browser.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say } from "../src/i18n/words.ts";
import { startFakeTelegram } from "./support/fake-telegram.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const words = createWords("english");
const kept = "- likes tea\n";

function memoryOf({ app }: TestGateway): string {
  return join(app.workspace, "memory", "MEMORY.md");
}

async function remember(gateway: TestGateway): Promise<void> {
  const path = memoryOf(gateway);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${kept}- owes Bob money\n`);
}

test("in a chat the next message answers, and everything but a yes keeps what there is", async () => {
  await using telegram = await startFakeTelegram();
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const gateway = await createTestGateway(["I see."], {
    config: { channels: { telegram: channel, collectMs: 0 } },
  });
  await remember(gateway);
  const heard = () => telegram.messages.map(({ text }) => text);
  const isAsked = (times: number) => () => heard().filter((text) => text.includes("Bob")).length >= times;
  telegram.say("/forget Bob money");
  await telegram.waitFor(isAsked(1));
  telegram.say("no");
  const refused = say(phrase("memory.not-forgotten"), words);
  await telegram.waitFor(() => heard().includes(refused));
  expect(await readFile(memoryOf(gateway), "utf8")).toContain("Bob");
  telegram.say("/forget Bob money");
  await telegram.waitFor(isAsked(2));
  telegram.say("yes");
  await telegram.waitFor(() => heard().some((text) => text.includes(words.memory.forget.done(1, 0))));
  expect(await readFile(memoryOf(gateway), "utf8")).toBe(kept);
  telegram.say("/forget Bob money");
  const nothing = say(phrase("memory.nothing-to-forget"), words);
  await telegram.waitFor(() => heard().includes(nothing));
  expect(gateway.provider.requests).toEqual([]);
});

test("in a chat app with buttons a press answers, nobody else's does, and the buttons go", async () => {
  await using telegram = await startFakeTelegram();
  const rules = { allowFrom: ["42", "66"], owners: ["42"] };
  const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, ...rules };
  const gateway = await createTestGateway([], { config: { channels: { telegram: channel, collectMs: 0 } } });
  await remember(gateway);
  const chat = { id: 42, type: "private" };
  telegram.say("/forget Bob money", { chat });
  await telegram.waitFor(() => telegram.messages.length === 1);
  const [asked] = telegram.messages;
  const buttonsOf = () =>
    (asked?.parameters.reply_markup as Keyboard | undefined)?.inline_keyboard.flat() ?? [];
  expect(buttonsOf().map(({ text }) => text)).toEqual([
    say(phrase("choice.yes"), words),
    say(phrase("choice.no"), words),
  ]);
  const data = buttonsOf()[0]?.callback_data;
  const press = (from: number, pressed = data) =>
    telegram.push({
      callback_query: {
        id: `${from}-${pressed}`,
        data: pressed,
        from: { id: from, first_name: "N" },
        message: { message_id: 1, chat },
      },
    });
  // Another person, a stranger, and what is no button of this question.
  press(66);
  press(99);
  press(42, "garbage");
  press(42);
  await telegram.waitFor(() =>
    telegram.messages.some(({ text }) => text.includes(words.memory.forget.done(1, 0))),
  );
  await telegram.waitFor(() => buttonsOf().length === 0);
  expect(asked?.text).toContain(`→ ${say(phrase("choice.yes"), words)}`);
  expect(await readFile(memoryOf(gateway), "utf8")).toBe(kept);
  expect(telegram.calls.filter((call) => call === "answerCallbackQuery")).toHaveLength(4);
});

interface Keyboard {
  inline_keyboard: Array<Array<{ text: string; callback_data: string }>>;
}

test("a page that calls the operation itself is asked over its socket, and nobody else can answer", async () => {
  const gateway = await createTestGateway([]);
  await remember(gateway);
  const client = await openWebClient(gateway);
  const guest = await openWebClient(gateway, { person: "ann", role: "guest" });
  const forgetting = client.ask("memory.forget", { words: "Bob money" }, "request-one");
  const { event } = await client.waitFor(({ event: each }) => each.type === "question");
  if (event.type !== "question") throw new Error("it is one");
  expect(event).toMatchObject({
    requestId: "request-one",
    question: { phrase: { code: "memory.forget-these" }, detail: "- - owes Bob money" },
  });
  const { questionId } = event;
  expect(await guest.ask("questions.answer", { questionId, choice: "yes" })).toEqual({ isTaken: false });
  expect(guest.events).toEqual([]);
  expect(await client.ask("questions.answer", { questionId, choice: "yes" })).toEqual({ isTaken: true });
  expect((await forgetting).lines).toHaveLength(1);
  expect(await readFile(memoryOf(gateway), "utf8")).toBe(kept);
});

test("a question that is open when the gateway ends keeps nothing from ending", async () => {
  const gateway = await createTestGateway([]);
  await remember(gateway);
  const client = await openWebClient(gateway);
  const forgetting = client.ask("memory.forget", { words: "Bob money" });
  forgetting.catch(() => {});
  await client.waitFor(({ event }) => event.type === "question");
  await closeTestGateways();
});

test("in the browser it is a card with two buttons", async () => {
  const gateway = await createTestGateway([]);
  await remember(gateway);
  const client = await openWebClient(gateway);
  const sessionKey = "web:kitchen";
  const { turnId } = await client.ask("chat.send", { sessionKey, text: "/forget Bob money" });
  const shown = await client.waitFor(
    ({ event }) =>
      event.type === "shown" && event.shown.type === "live" && event.shown.body.type === "ask-start",
  );
  const { body } = (shown.event as { shown: { body: { askId: string; question: object } } }).shown;
  expect(body.question).toMatchObject({
    kind: "choice",
    phrase: { code: "memory.forget-these", params: { lines: 1, messages: 0 } },
    detail: "- - owes Bob money",
    choices: [{ id: "yes" }, { id: "no" }],
  });
  expect(await client.ask("chat.answer", { sessionKey, askId: body.askId, choice: "yes" })).toEqual({
    isTaken: true,
  });
  await client.waitFor(
    ({ event }) => event.type === "shown" && event.shown.type === "aside" && event.shown.turnId === turnId,
  );
  expect(await readFile(memoryOf(gateway), "utf8")).toBe(kept);
});
