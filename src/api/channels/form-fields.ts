// A schema of a block of the config as the fields of a form. What is no plain value has no field.
import * as z from "zod";
import { collectSecrets, isSecretName } from "../../config/secrets.ts";
import { isRecord } from "../../lib/is-record.ts";

type FieldValue = string | number | boolean | string[];

export interface FormField {
  key: string;
  kind: "text" | "secret" | "number" | "switch" | "choice" | "list";
  about: string;
  usual?: FieldValue;
  choices?: string[];
  isNeeded: boolean;
  /** Every channel has it. */
  isShared: boolean;
  /** Of a secret: whether there is one. */
  isSet?: boolean;
  value?: FieldValue;
}

type JsonSchema = Record<string, unknown>;

export interface FieldsOptions {
  /** What the config says now. */
  values: Record<string, unknown>;
  isShared: boolean;
}

export function toFields(schema: z.ZodType, { values, isShared }: FieldsOptions): FormField[] {
  const { properties, required } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  const needed = Array.isArray(required) ? required : [];
  const rows = Object.entries(isRecord(properties) ? properties : {});
  const hidden = collectSecrets(values);
  return rows.flatMap(([key, about]) => {
    const found = isRecord(about) && toField(key, about);
    if (!found) return [];
    // Such as the password in the address of a proxy.
    const isHidden = hidden.some((secret) => String(values[key]).includes(secret));
    const field = isHidden ? { ...found, kind: "secret" as const } : found;
    const value = field.kind === "secret" ? undefined : toValue(values[key]);
    return [
      {
        ...field,
        isNeeded: needed.includes(key),
        isShared,
        ...(field.kind === "secret" && { isSet: Boolean(values[key]) }),
        ...(value !== undefined && { value }),
      },
    ];
  });
}

function toField(key: string, schema: JsonSchema): Omit<FormField, "isNeeded" | "isShared"> | undefined {
  const options = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isRecord) : [schema];
  const plain = options.find(({ type }) => type !== "null");
  const usual = toValue(schema.default);
  const choices = Array.isArray(plain?.enum) ? plain.enum.map(String) : undefined;
  const kind = plain && toKind(key, plain);
  if (kind === undefined) return undefined;
  return {
    key,
    kind,
    about: String(schema.description ?? plain?.description ?? ""),
    ...(usual !== undefined && { usual }),
    ...(choices && { choices }),
  };
}

function toKind(key: string, { type, enum: choices }: JsonSchema): FormField["kind"] | undefined {
  if (Array.isArray(choices)) return "choice";
  if (type === "boolean") return "switch";
  if (type === "number" || type === "integer") return "number";
  if (type === "array") return "list";
  if (type !== "string") return undefined;
  return isSecretName(key) ? "secret" : "text";
}

function toValue(value: unknown): FieldValue | undefined {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}
