// What a chat sees of a running turn: a typing sign, a draft where messages can be edited, questions to
// the owner. Best effort, and never in the way of the turn.
import { type Question, toButtonToken } from "../bus/ask.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { Channel } from "../bus/channel.ts";
import type { LiveBody, LiveEvent, Progress } from "../bus/live.ts";
import type { OutboundPart, Sent } from "../bus/types.ts";
import type { Phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { takeHead } from "../lib/text.ts";
import { Draft } from "./draft.ts";

export interface LiveViewOptions {
  channel: Channel;
  send: Channel["send"];
  /** What the config of the channel lets through. */
  shows: { progress: boolean; toolHints: boolean; streaming: boolean };
  bus: MessageBus;
  clock: Clock;
  log: Log;
  convert(markdown: string): string;
  describeAsk(question: Question, shown: { hasButtons: boolean }): string;
  describeTool(event: Extract<Progress, { type: "tool-start" }>): string;
  words: Words;
}

interface View {
  draft?: Draft;
  /** Text since the last tool, if it cannot be edited into a draft. */
  text: string;
  /** Of the turn, also after a restart in the middle of it: says one text at most before its tools. */
  step: number;
  typing: AbortController;
  /** That the model is waited for was said. */
  isWaitShown?: boolean;
}

const typingEveryMs = 4_000;
/** Where the platform sets no limit. */
const longestNotice = 100_000;

export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #views = new Map<string, View>();
  /** Questions with buttons that wait, and the messages that show them. */
  readonly #asked = new Map<string, { text: string; sending: Promise<Sent | undefined> }>();
  /** Drafts that a full disk kept from being noted, by their turns. */
  readonly #unkept = new Map<string, string>();

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  show(event: LiveEvent): void {
    const { channel } = this.#options;
    channel.showLive?.(event);
    if (channel.capabilities.streaming === "live") return;
    const { body } = event;
    // A subagent asks without a turn in this chat: nobody is writing.
    if (body.type === "ask-start") this.#ask(event, body);
    if (body.type === "ask-end") this.#endAsk(event, body);
    if (body.type === "ask-start" || body.type === "ask-end") return;
    const view = this.#views.get(event.turnId) ?? this.#open(event);
    if (body.type === "step-start") view.step = body.step;
    else if (body.type === "text-delta") this.#addText(view, body.text);
    else if (body.type === "text-reset") this.#resetText(view);
    else if (body.type === "text-end" && !body.isLast) this.#endText(event, view);
    else if (body.type === "tool-start") this.#hint(event, view, body);
    else if (body.type === "notice" && body.notice.kind === "waiting")
      this.#tellWait(event, view, body.notice.reason);
    else if (body.type === "turn-end") view.typing.abort();
  }

  /** The answer is there: nothing more is shown of the turn. */
  async settle({ turnId, kind }: OutboundPart): Promise<void> {
    const view = this.#views.get(turnId);
    if (view === undefined || kind === "message") return;
    this.#views.delete(turnId);
    view.typing.abort();
    await view.draft?.close();
  }

  /** The message that was begun for a turn and could not be noted; reported once. */
  takeUnkept(turnId: string): string | undefined {
    const platformId = this.#unkept.get(turnId);
    this.#unkept.delete(turnId);
    return platformId;
  }

  async close(): Promise<void> {
    for (const { typing, draft } of this.#views.values()) {
      typing.abort();
      await draft?.close();
    }
    this.#views.clear();
  }

  #open(event: LiveEvent): View {
    const { channel, send, shows, clock, convert, bus, log } = this.#options;
    const onError = (error: unknown) => log.debug("draft-not-shown", { channel: channel.name, error });
    const onCreated = (platformId: string) =>
      bus.keepDraft(event.turnId, platformId).catch((error) => {
        this.#unkept.set(event.turnId, platformId);
        throw error;
      });
    // A turn that continues after a crash continues its message.
    const begun = bus.findDraft(event.turnId);
    const isDrafting = channel.capabilities.streaming === "edit" && shows.streaming;
    const draft =
      isDrafting && new Draft(event, { channel, send, clock, convert, begun, onCreated, onError });
    const view: View = { text: "", step: 0, typing: new AbortController(), ...(draft && { draft }) };
    this.#views.set(event.turnId, view);
    void this.#type(event, view.typing.signal).catch(onError);
    return view;
  }

  get #mostText(): number {
    return this.#options.channel.capabilities.maxTextLength ?? longestNotice;
  }

  async #type({ chatId, thread }: LiveEvent, signal: AbortSignal): Promise<void> {
    const { channel, clock } = this.#options;
    if (!channel.capabilities.typing) return;
    while (!signal.aborted) {
      await channel.showTyping?.(chatId, thread);
      await clock.sleep(typingEveryMs, signal).catch(() => {});
    }
  }

  #addText(view: View, text: string): void {
    if (view.draft === undefined) view.text += takeHead(text, Math.max(0, this.#mostText - view.text.length));
    else view.draft.add(text);
  }

  #resetText(view: View): void {
    view.text = "";
    view.draft?.reset();
  }

  /** Text before a tool call: a separate message where there is no draft. */
  #endText(event: LiveEvent, view: View): void {
    const { text } = view;
    view.text = "";
    view.draft?.add("\n\n");
    if (text.trim() !== "" && this.#options.shows.progress)
      void this.#say(event, `${event.turnId}:${view.step}`, text);
  }

  /** Once a turn: a slow model is no news at each step. */
  #tellWait(event: LiveEvent, view: View, reason: Phrase): void {
    if (view.isWaitShown === true || this.#options.channel.capabilities.isQuiet === true) return;
    view.isWaitShown = true;
    void this.#say(event, `${event.turnId}:waiting`, say(reason, this.#options.words));
  }

  #hint(event: LiveEvent, view: View, tool: Extract<Progress, { type: "tool-start" }>): void {
    const { shows, describeTool } = this.#options;
    if (!shows.toolHints) return;
    if (view.draft !== undefined) view.draft.add(`\n_${describeTool(tool)}_\n`);
    else if (shows.progress) void this.#say(event, tool.callId, describeTool(tool));
  }

  #ask(event: LiveEvent, { askId, question }: Extract<LiveBody, { type: "ask-start" }>): void {
    const { channel, describeAsk, words } = this.#options;
    const hasButtons = channel.capabilities.buttons === true;
    const text = describeAsk(question, { hasButtons });
    if (!hasButtons) return void this.#say(event, `ask-${askId}`, text);
    const buttons = question.choices.map(({ phrase }, position) => ({
      token: toButtonToken(askId, position),
      label: say(phrase, words),
    }));
    this.#asked.set(askId, {
      text,
      sending: this.#say(event, `ask-${askId}`, text, { question: { buttons } }),
    });
  }

  /** The answer replaces the buttons. */
  #endAsk(event: LiveEvent, { askId, chosen }: Extract<LiveBody, { type: "ask-end" }>): void {
    const openQuestion = this.#asked.get(askId);
    this.#asked.delete(askId);
    const settle = async () => {
      const draft = (await openQuestion?.sending)?.platformId;
      if (openQuestion === undefined || draft === undefined) return;
      await this.#say(
        event,
        `answer-${askId}`,
        `${openQuestion.text}\n→ ${say(chosen, this.#options.words)}`,
        {
          draft,
        },
      );
    };
    void settle();
  }

  /** Undefined: it was not shown, which costs nothing but the sight of it. */
  #say(
    { body: _, ...address }: LiveEvent,
    id: string,
    text: string,
    more: Pick<OutboundPart, "question" | "draft"> = {},
  ): Promise<Sent | undefined> {
    const { channel: own, send, log, convert } = this.#options;
    const part: OutboundPart = {
      ...address,
      id: `live:${id}`,
      text: convert(takeHead(text, this.#mostText)),
      media: [],
      kind: "notice",
      wasStreamed: false,
      ...more,
    };
    return send(part).catch((error: unknown) => {
      log.debug("notice-not-shown", { channel: own.name, error });
      return undefined;
    });
  }
}
