// What a server asks the person in whose turn one of its tools runs (`elicitation/create`), as a question with choices, and
// what the server is sent for each choice. A form that no choice can fill in is not asked.
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { type Asking, type Choice, noChoice, yesOrNo } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { cleanText } from "./clean-text.ts";

type Content = NonNullable<ElicitResult["content"]>;
type Field = ElicitRequestFormParams["requestedSchema"]["properties"][string];
type FilledChoice = Choice & { content: Content };

export interface Form {
  asking: Asking;
  /** By the id of a choice; absent for the one that refuses. */
  contents: Map<string, Content>;
}

const longestMessage = 1_000;
const longestLabel = 100;
const mostOptions = 20;
/** A chat app would format a label with these, or hide a link in it. */
const markup = /[`*~[\]<>|\\]/g;
const refusal: Choice = { id: noChoice, phrase: phrase("mcp.refuse") };

export function readForm(
  { message, requestedSchema }: ElicitRequestFormParams,
  { server, redact }: { server: string; redact(text: string): string },
): Form | undefined {
  const [first, ...others] = Object.entries(requestedSchema.properties);
  if (others.length > 0) return undefined;
  const filled = first === undefined ? toConsent() : toChoices(...first, redact);
  if (filled.length === 0) return undefined;
  const { title, description } = first?.[1] ?? {};
  const texts = [message, title ?? first?.[0] ?? "", description ?? ""];
  const detail = texts.map((text) => redact(cleanText(text, longestMessage))).filter((text) => text !== "");
  const last = first === undefined ? yesOrNo.filter(({ id }) => id === noChoice) : [refusal];
  return {
    asking: {
      phrase: phrase("mcp.asks", { server }),
      detail: detail.join("\n"),
      choices: [...filled.map(({ content: _, ...choice }) => choice), ...last],
    },
    contents: new Map(filled.map(({ id, content }) => [id, content])),
  };
}

function toConsent(): FilledChoice[] {
  return [{ id: "yes", phrase: phrase("choice.yes"), content: {} }];
}

/** None where the field is not a boolean or one of a few named values. */
function toChoices(name: string, field: Field, redact: (text: string) => string): FilledChoice[] {
  if (field.type === "boolean") {
    return [
      { id: "yes", phrase: phrase("choice.yes"), content: { [name]: true } },
      { id: "false", phrase: phrase("choice.no"), content: { [name]: false } },
    ];
  }
  const options = readOptions(field).map(({ value, title }) => {
    return { value, label: redact(cleanText(title.replaceAll(markup, "'"), longestLabel)) };
  });
  const labels = new Set(options.map(({ label }) => label));
  if (options.length > mostOptions || labels.size < options.length || labels.has("")) return [];
  return options.map(({ value, label }, index) => {
    return { id: `${index + 1}`, phrase: phrase("mcp.option", { label }), content: { [name]: value } };
  });
}

function readOptions(field: Field): Array<{ value: string; title: string }> {
  if (field.type !== "string") return [];
  if ("oneOf" in field) return field.oneOf.map((option) => ({ value: option.const, title: option.title }));
  if (!("enum" in field)) return [];
  const titles = "enumNames" in field ? field.enumNames : undefined;
  return field.enum.map((value, index) => ({ value, title: titles?.[index] ?? value }));
}
