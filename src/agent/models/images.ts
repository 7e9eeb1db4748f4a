// Images by any host that speaks OpenAI's `/images`, or gives them in a chat completion. Its calls are in the ledger and held
// to the budget like those of every model; what a host sends is bounded, and has to be an image.
import { ProxyAddressError } from "../../guards/proxy-fetch.ts";
import type { ImageProblem } from "../../i18n/en/phrases/requests.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import { isRecord } from "../../lib/is-record.ts";
import { createGuardedFetch, FetchError } from "../../lib/network/guarded-fetch.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import type { Providers } from "../../llm/config.ts";
import { toPhrase } from "../../llm/errors/provider-error.ts";
import type { ModelRequest } from "../../llm/types.ts";
import { withRetry } from "../../llm/wrappers/with-retry.ts";
import type { ToolsConfig } from "../../tools/config.ts";
import { type ImageOrder, largestImage, type MakeImages } from "../../tools/generate-image.ts";
import type { ModelParts } from "./connect-model.ts";
import {
  createServiceProvider,
  findService,
  type ServiceCall,
  type ServiceConnection,
} from "./service-provider.ts";

interface ImageParts extends Pick<ModelParts, "clock" | "count"> {
  env: NodeJS.ProcessEnv;
  /** As it is at the moment. */
  config(): { tools: ToolsConfig; providers: Providers };
  redact(text: string): string;
}

interface Artist {
  connection: ServiceConnection;
  model: string;
  aspectRatio: string;
  imageSize: string;
}

/** The usual models of hosts, in the order in which they are preferred. */
const usualModels: Record<string, string> = {
  openai: "gpt-image-2",
  openrouter: "openai/gpt-5.4-image-2",
  siliconflow: "Qwen/Qwen-Image",
  zhipu: "cogview-4",
  volcengine: "doubao-seedream-4-0-250828",
};
class UnusableImage extends FetchError {
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** What OpenAI counts for a square image of medium quality; for hosts that count nothing. */
const tokensPerImage = 1_056;
const longestMs = 300_000;
const mostTurns = 1_000;

export function createImages(parts: ImageParts): MakeImages {
  const { clock, redact } = parts;
  const made = new Map<string, number>();

  function countTurn(turnId: string, count: number): Phrase | undefined {
    const most = parts.config().tools.imageGeneration.maxImagesPerTurn;
    const sum = (made.get(turnId) ?? 0) + count;
    if (sum > most) return phrase("images.too-many", { most });
    made.set(turnId, sum);
    const [oldest] = made.keys();
    if (made.size > mostTurns && oldest !== undefined) made.delete(oldest);
    return undefined;
  }

  return async (order, { origin, sessionKey, turnId, signal }) => {
    const artist = findArtist(parts);
    if ("code" in artist) return { reason: artist };
    const tooMany = countTurn(turnId, order.count);
    if (tooMany !== undefined) return { reason: tooMany };
    const { connection, model } = artist;
    const { label: host } = connection.host;
    const name = `${connection.host.name}/${model}`;
    const found: string[] = [];
    const prompt = redact(order.prompt);
    const call = toCall({ ...order, prompt }, artist, found);
    const provider = withRetry({ clock })(parts.count(name)(createServiceProvider(connection, call)));
    const attribution = { cause: "image", sessionKey, turnId, person: origin.person } as const;
    const request: ModelRequest = {
      model,
      maxTokens: 0,
      messages: [{ role: "user", content: prompt }],
      attribution,
    };
    const over = new AbortController();
    const wait = new AbortController();
    void clock.sleep(longestMs, wait.signal).then(
      () => over.abort(),
      () => {},
    );
    const ending = AbortSignal.any([signal, over.signal]);
    try {
      for await (const event of provider.stream(request, ending))
        if (event.type === "reply-end" && event.reply.error !== undefined)
          return { reason: toPhrase(event.reply.error) };
      const images: Buffer[] = [];
      for (const address of found) images.push(await load(address));
      return { images, model: name };
    } catch (error) {
      signal.throwIfAborted();
      if (over.signal.aborted) return { reason: phrase("model.timeout", { host, detail: "" }) };
      if (error instanceof FetchError) {
        const problem = error instanceof UnusableImage ? error.problem : "address";
        return { reason: phrase("images.broken", { host, problem }) };
      }
      throw error;
    } finally {
      wait.abort();
    }

    /** The host chose this address: it is read like that of any page, except at the host itself. */
    async function load(address: string): Promise<Buffer> {
      const [, data] = /^data:[^,]{0,100};base64,(.*)$/s.exec(address) ?? [];
      const bytes = data === undefined ? await download(address) : Buffer.from(data, "base64");
      if (bytes.length > largestImage) throw new UnusableImage("too-large");
      if (sniffImageType(bytes) === undefined) throw new UnusableImage("no-image");
      return bytes;
    }

    async function download(address: string): Promise<Buffer> {
      const { ssrfWhitelist: allow } = parts.config().tools;
      const { origin: exemptOrigin } = new URL(connection.baseUrl);
      const guarded = createGuardedFetch({ allow });
      const { status, bytes, isTruncated } = await guarded(address, {
        signal: ending,
        maxBytes: largestImage,
        timeoutMs: 120_000,
        exemptOrigin,
      });
      if (status !== 200) throw new UnusableImage("address");
      if (isTruncated) throw new UnusableImage("too-large");
      return bytes;
    }
  };
}

/** The host that was chosen, or the first one with a key that is known to make images; or why there is none. */
function findArtist({ config, env }: ImageParts): Artist | Phrase {
  const { tools, providers } = config();
  const {
    provider,
    model,
    defaultAspectRatio: aspectRatio,
    defaultImageSize: imageSize,
  } = tools.imageGeneration;
  try {
    const names = provider === "auto" ? Object.keys(usualModels) : [provider];
    const services = names.map((name) => findService(name, providers, env));
    const connection = services.find((service) => service !== undefined && !("unusable" in service));
    if (connection !== undefined && !("unusable" in connection)) {
      const chosen = model ?? usualModels[connection.host.name];
      if (chosen === undefined) return phrase("images.no-model", { host: connection.host.label });
      return { connection, model: chosen, aspectRatio, imageSize };
    }
    const [unusable] = services;
    if (provider === "auto") return phrase("images.no-host");
    if (unusable === undefined || !("unusable" in unusable))
      return phrase("images.unknown-host", { host: provider });
    const { label, name } = unusable.unusable;
    return phrase("images.no-key", { host: label, name });
  } catch (error) {
    if (error instanceof ProxyAddressError) return error.phrase;
    throw error;
  }
}

/** The addresses of the images are put into `into`, those of the reply itself as `data:`. */
function toCall(order: ImageOrder, artist: Artist, into: string[]): ServiceCall {
  const { prompt, count, sources } = order;
  const isChat = artist.connection.host.quirks.imagesByChat === true;
  const shaped = { ...artist, aspectRatio: order.aspectRatio ?? artist.aspectRatio };
  const isEdit = sources.length > 0;
  return {
    path: isChat ? "chat/completions" : isEdit ? "images/edits" : "images/generations",
    body: isChat ? toChatBody(order, shaped) : isEdit ? toForm(order, shaped) : toFields(order, shaped),
    isCostly: true,
    // Base64 is a third longer.
    largestReply: count * Math.ceil((largestImage * 4) / 3) + 1024 * 1024,
    read(reply) {
      const addresses = isChat ? readChatImages(reply) : readImages(reply);
      if (addresses.length === 0) return undefined;
      into.push(...addresses.slice(0, count));
      const output = addresses.length * tokensPerImage;
      return { usage: { input: estimateTokens(prompt), cached: 0, output, isEstimate: true } };
    },
  };
}

/** `response_format` is left out: OpenAI's newer models reject it, and both forms are read. */
function toFields(
  { prompt, count }: ImageOrder,
  { model, aspectRatio }: Artist,
): Record<string, string | number> {
  const size = toSize(aspectRatio);
  return { model, prompt, ...(count > 1 && { n: count }), ...(size && { size }) };
}

function toForm(order: ImageOrder, artist: Artist): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(toFields(order, artist))) form.set(name, String(value));
  for (const [index, { bytes, type }] of order.sources.entries()) {
    const name = `image-${index + 1}.${type.slice("image/".length)}`;
    const field = order.sources.length === 1 ? "image" : "image[]";
    form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  }
  return form;
}

function toChatBody({ prompt, sources }: ImageOrder, { model, aspectRatio, imageSize }: Artist) {
  const images = sources.map(({ bytes, type }) => ({
    type: "image_url",
    image_url: { url: `data:${type};base64,${bytes.toString("base64")}` },
  }));
  return {
    model,
    messages: [{ role: "user", content: [{ type: "text", text: prompt }, ...images] }],
    modalities: ["image", "text"],
    image_config: { aspect_ratio: aspectRatio, image_size: imageSize },
  };
}

/** The sizes that OpenAI's image models take; a square is every host's default. */
function toSize(aspectRatio: string): string | undefined {
  const [width = 1, height = 1] = aspectRatio.split(":").map(Number);
  if (width === height) return undefined;
  return width > height ? "1536x1024" : "1024x1536";
}

function readImages({ data, images }: Record<string, unknown>): string[] {
  return listOf(data ?? images).flatMap(({ b64_json: base64, url }) => {
    if (typeof base64 === "string" && base64 !== "") return [`data:image/png;base64,${base64}`];
    return typeof url === "string" ? [url] : [];
  });
}

function readChatImages({ choices }: Record<string, unknown>): string[] {
  const messages = listOf(choices).map(({ message }) => message);
  return messages
    .filter(isRecord)
    .flatMap(({ images }) =>
      listOf(images).flatMap(({ image_url: image }) =>
        isRecord(image) && typeof image.url === "string" ? [image.url] : [],
      ),
    );
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
