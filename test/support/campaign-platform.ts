// Platforms of a campaign that kills the program: many private chats, each with one owner, and what was told in them with the
// time at which it came. Needs no test runner.
import { FakeSlack } from "./fake-slack.ts";
import type { FakeTelegram } from "./fake-telegram.ts";

export const campaignChannels = ["telegram", "slack"] as const;
export type CampaignChannel = (typeof campaignChannels)[number];

export interface ToldMessage {
  chatId: string;
  text: string;
  /** When it came, in milliseconds. */
  at: number;
}

export interface CampaignPlatform extends AsyncDisposable {
  listen(): Promise<unknown>;
  /** The channel's block, without those who may speak. */
  block(): Record<string, unknown>;
  /** Of a chat by its number: its id, and its owner's. */
  chatId(number: number): string;
  ownerId(number: number): string;
  say(number: number, text: string): void;
  told(): ToldMessage[];
  /** How often the program has asked for news. */
  looks(): number;
}

export function createCampaignPlatform(channel: CampaignChannel, telegram: FakeTelegram): CampaignPlatform {
  return channel === "slack" ? createSlack(new FakeSlack()) : createTelegram(telegram);
}

function createTelegram(fake: FakeTelegram): CampaignPlatform {
  return {
    listen: () => fake.listen(),
    block: () => ({ token: fake.token, apiBase: fake.url }),
    chatId: String,
    ownerId: String,
    say(id, text) {
      const from = { id, is_bot: false, first_name: "P" };
      fake.say(text, { from, chat: { id, type: "private" } });
    },
    told: () => fake.messages,
    looks: () => fake.polls,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

function createSlack(fake: FakeSlack): CampaignPlatform {
  return {
    listen: () => fake.listen(),
    block: () => ({ botToken: fake.botToken, appToken: fake.appToken, apiBase: fake.url }),
    chatId: (number) => `D${number}`,
    ownerId: (number) => `U${number}`,
    say: (number, text) => void fake.say(text, { channel: `D${number}`, user: `U${number}` }),
    told: () => fake.messages.map(({ channel: chatId, text, at }) => ({ chatId, text, at })),
    looks: () => fake.calls.filter((call) => call.endsWith("apps.connections.open")).length,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
