// What a server asks for, as questions to a person: one for each field of its form, with the values that it suggests, or a
// page to open. The server's words are shown as text that nothing obeys.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { type Answer, type Asking, type Choice, noChoice, yesOrNo } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { isLoopbackHost } from "../lib/network/ip-address.ts";
import { cleanText } from "./schema.ts";

export type Content = NonNullable<ElicitResult["content"]>;
type FormParams = Exclude<ElicitRequestParams, { mode: "url" }>;
type Field = FormParams["requestedSchema"]["properties"][string];
type Value = Content[string];

export interface FormQuestion {
  asking: Asking;
  /** Undefined for an answer that refuses, or does not fit. */
  read(answer: Answer): { content: Content; isAll?: boolean } | undefined;
}

interface Texts {
  server: string;
  redact(text: string): string;
}

interface Filling extends Choice {
  content: Content;
  isAll?: boolean;
}

const longestMessage = 1_000;
const longestLabel = 100;
const longestText = 10_000;
const mostOptions = 20;
const mostFields = 20;
/** A chat app would format a label with these, or hide a link in it. */
const markup = /[`*~[\]<>|\\]/g;
const refusal: Choice = { id: noChoice, phrase: phrase("mcp.refuse") };

/** Undefined for what cannot be shown. */
export function readForm(params: ElicitRequestParams, texts: Texts): FormQuestion[] | undefined {
  if (params.mode === "url") return readPage(params, texts);
  const fields = Object.entries(params.requestedSchema.properties);
  if (fields.length > mostFields) return undefined;
  if (fields.length === 0) {
    const yes = { id: "yes", phrase: phrase("choice.yes"), content: {} };
    return [
      toQuestion(
        toAsking(params.message, [], texts),
        [yes],
        yesOrNo.filter(({ id }) => id === noChoice),
      ),
    ];
  }
  const required = params.requestedSchema.required ?? [];
  const questions = fields.map(([name, field], index) => {
    const shown = index === 0 ? params.message : "";
    return toFieldQuestion(
      { name, field, canSkip: fields.length > 1 && !required.includes(name), message: shown },
      texts,
    );
  });
  if (questions.some((question) => question === undefined)) return undefined;
  const [first, ...rest] = questions.filter((question) => question !== undefined);
  if (first === undefined) return undefined;
  const defaults = readDefaults(fields, required);
  return rest.length === 0 || defaults === undefined
    ? [first, ...rest]
    : [withDefaults(first, defaults), ...rest];
}

/** Only what a browser opens safely; the address is shown in full, and never fetched here. */
function readPage(
  { message, url }: Extract<ElicitRequestParams, { mode: "url" }>,
  texts: Texts,
): FormQuestion[] | undefined {
  const page = URL.parse(url);
  const isSafe = page?.protocol === "https:" || (page?.protocol === "http:" && isLoopbackHost(page.hostname));
  if (page === null || !isSafe || page.username !== "" || page.href.length > longestMessage) return undefined;
  const opened = { id: "yes", phrase: phrase("mcp.opened"), content: {} };
  return [toQuestion(toAsking(message, [page.href], texts), [opened], [refusal])];
}

function toAsking(message: string, more: string[], { server, redact }: Texts): Omit<Asking, "choices"> {
  const lines = [message, ...more].map((text) => redact(cleanText(text, longestMessage)));
  return { phrase: phrase("mcp.asks", { server }), detail: lines.filter((line) => line !== "").join("\n") };
}

function toQuestion(
  asking: Omit<Asking, "choices">,
  filled: readonly Filling[],
  last: readonly Choice[],
  readText?: (text: string) => Content | undefined,
): FormQuestion {
  const choices = [...filled.map(({ id, phrase: said }) => ({ id, phrase: said })), ...last];
  return {
    asking: { ...asking, choices, ...(readText && { takesText: true as const }) },
    read({ choice, text }) {
      const found = filled.find(({ id }) => id === choice);
      if (found !== undefined) return { content: found.content, ...(found.isAll && { isAll: true }) };
      const content = text === undefined ? undefined : readText?.(text.trim().slice(0, longestText));
      return content && { content };
    },
  };
}

interface FieldOf {
  name: string;
  field: Field;
  /** It may stay empty, and is not the only one. */
  canSkip: boolean;
  message: string;
}

function toFieldQuestion({ name, field, canSkip, message }: FieldOf, texts: Texts): FormQuestion | undefined {
  const { title, description } = field;
  const asking = toAsking(message, [title ?? name, description ?? ""], texts);
  const label = (text: string) => texts.redact(cleanText(text.replaceAll(markup, "'"), longestLabel));
  if (field.type === "boolean") {
    const yes = { id: "yes", phrase: phrase("choice.yes"), content: { [name]: true } };
    const no = { id: "false", phrase: phrase("choice.no"), content: { [name]: false } };
    return toQuestion(asking, field.default === false ? [no, yes] : [yes, no], [refusal]);
  }
  const skip = { id: "skip", phrase: phrase("mcp.skip-field"), content: {} };
  const suggested = toSuggestion(name, field, label);
  const options = readOptions(field).map(({ value, title: said }) => ({ value, label: label(said) }));
  if (options.length === 0 && "enum" in field) return undefined;
  const labels = new Set(options.map((option) => option.label));
  if (options.length > mostOptions || labels.size < options.length || labels.has("")) return undefined;
  const last = [...(canSkip && suggested.length === 0 ? [skip] : [])];
  if (field.type === "array") {
    const names = options.map((option, index) => `${index + 1}. ${option.label}`).join("\n");
    const listed = { ...asking, detail: `${asking.detail}\n${names}` };
    return toQuestion(listed, [...suggested, ...last], [refusal], (text) =>
      readSeveral(text, name, field, options),
    );
  }
  if (options.length > 0) {
    const fillings = options.map((option, index) => ({
      id: `${index + 1}`,
      phrase: phrase("mcp.option", { label: option.label }),
      content: { [name]: option.value },
    }));
    return toQuestion(asking, [...fillings, ...last], [refusal]);
  }
  return toQuestion(asking, [...suggested, ...last], [refusal], (text) => {
    const value = readValue(text, field);
    return value === undefined ? undefined : { [name]: value };
  });
}

/** A default of a field that is typed. */
function toSuggestion(name: string, field: Field, label: (text: string) => string): Filling[] {
  const value = field.default as Value | undefined;
  if (value === undefined || (field.type === "string" && readOptions(field).length > 0)) return [];
  const shown = label(Array.isArray(value) ? value.join(", ") : String(value));
  return shown === ""
    ? []
    : [{ id: "default", phrase: phrase("mcp.use-default", { label: shown }), content: { [name]: value } }];
}

/** What a form is filled with at once; undefined where a field needs a person. */
function readDefaults(fields: Array<[string, Field]>, required: readonly string[]): Content | undefined {
  const isFilled = ([name, field]: [string, Field]) =>
    field.default !== undefined || !required.includes(name);
  const given = fields.filter(([, field]) => field.default !== undefined);
  if (given.length === 0 || !fields.every(isFilled)) return undefined;
  return Object.fromEntries(given.map(([name, field]) => [name, field.default as Value]));
}

function withDefaults({ asking, read }: FormQuestion, content: Content): FormQuestion {
  const all = { id: "defaults", phrase: phrase("mcp.use-defaults") };
  return {
    asking: { ...asking, choices: [all, ...asking.choices] },
    read: (answer) => (answer.choice === all.id ? { content, isAll: true } : read(answer)),
  };
}

function readSeveral(
  text: string,
  name: string,
  field: Extract<Field, { type: "array" }>,
  options: ReadonlyArray<{ value: string; label: string }>,
): Content | undefined {
  const wanted = text.split(/[,，、;\n]/).map((part) => part.trim());
  const found = wanted.map((part) =>
    options.find(
      ({ value, label }, index) =>
        part === `${index + 1}` || [value, label].some((known) => known.toLowerCase() === part.toLowerCase()),
    ),
  );
  if (found.some((option) => option === undefined)) return undefined;
  const values = [...new Set(found.flatMap((option) => (option === undefined ? [] : [option.value])))];
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  return values.length >= minItems && values.length <= maxItems ? { [name]: values } : undefined;
}

const formats: Record<string, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
};

/** Undefined for what does not fit the field. */
function readValue(text: string, field: Field): Value | undefined {
  if (field.type === "number" || field.type === "integer") {
    const value = text === "" ? Number.NaN : Number(text);
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
    const isWhole = field.type === "number" || Number.isInteger(value);
    return Number.isFinite(value) && isWhole && value >= minimum && value <= maximum ? value : undefined;
  }
  if (field.type !== "string" || "enum" in field || "oneOf" in field) return undefined;
  const { minLength = 0, maxLength = longestText, format } = field;
  const isFormed = format === undefined || (formats[format]?.(text) ?? true);
  return text.length >= minLength && text.length <= maxLength && isFormed ? text : undefined;
}

function readOptions(field: Field): Array<{ value: string; title: string }> {
  if (field.type === "array") {
    const { items } = field;
    if ("anyOf" in items) return items.anyOf.map(({ const: value, title }) => ({ value, title }));
    return items.enum.map((value) => ({ value, title: value }));
  }
  if (field.type !== "string") return [];
  if ("oneOf" in field) return field.oneOf.map((option) => ({ value: option.const, title: option.title }));
  if (!("enum" in field)) return [];
  const titles = "enumNames" in field ? field.enumNames : undefined;
  return field.enum.map((value, index) => ({ value, title: titles?.[index] ?? value }));
}
