// Sending to Telegram: text with a fallback for markup that it does not like, edits of drafts, files by their kind.
import type { Api } from "grammy";
import type { Button } from "../../bus/types.ts";

export interface Target {
  chatId: string;
  text: string;
  /** Message that is edited instead of sending another one. */
  draft?: number;
  topic?: number;
  replyTo?: number;
  buttons?: Button[];
}

/** The platform's id of the message that holds the text now. */
export async function sendText(api: Api, target: Target): Promise<string> {
  try {
    return await attempt(api, target, "HTML");
  } catch (error) {
    // "Bad Request: can't parse entities"
    if (!describes(error, "can't parse entities")) throw error;
    return attempt(api, { ...target, text: stripTags(target.text) }, undefined);
  }
}

async function attempt(api: Api, target: Target, mode: "HTML" | undefined): Promise<string> {
  const { chatId, text, draft } = target;
  const markup = {
    // A preview is fetched by the platform: a link in an answer must not carry anything away on its own.
    link_preview_options: { is_disabled: true },
    ...(mode !== undefined && { parse_mode: mode }),
    ...(target.buttons && { reply_markup: toKeyboard(target.buttons) }),
  };
  if (draft !== undefined) {
    try {
      await api.editMessageText(chatId, draft, text, markup);
      return String(draft);
    } catch (error) {
      if (describes(error, "message is not modified")) return String(draft);
      if (!describes(error, "message to edit not found")) throw error;
    }
  }
  const message = await api.sendMessage(chatId, text, { ...markup, ...toPlace(target) });
  return String(message.message_id);
}

export async function sendMedia(api: Api, target: Target, path: string): Promise<void> {
  const { InputFile } = await import("grammy");
  const file = new InputFile(path);
  const place = toPlace(target);
  if (/\.(png|jpe?g|webp)$/i.test(path)) await api.sendPhoto(target.chatId, file, place);
  else if (/\.(mp3|m4a|flac)$/i.test(path)) await api.sendAudio(target.chatId, file, place);
  else if (/\.(ogg|opus)$/i.test(path)) await api.sendVoice(target.chatId, file, place);
  else if (/\.mp4$/i.test(path)) await api.sendVideo(target.chatId, file, place);
  else await api.sendDocument(target.chatId, file, place);
}

function toPlace({ topic, replyTo }: Target) {
  return {
    ...(topic !== undefined && { message_thread_id: topic }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
    }),
  };
}

/** One below the other: a label may be long. */
function toKeyboard(buttons: Button[]) {
  return { inline_keyboard: buttons.map(({ token, label }) => [{ text: label, callback_data: token }]) };
}

function describes(error: unknown, words: string): boolean {
  const { description } = error as { description?: unknown };
  return typeof description === "string" && description.includes(words);
}

function stripTags(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
