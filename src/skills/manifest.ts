// Reads what SKILL.md says of itself. Nothing that stands there is an error: odd values are left out and noted.
import { parseYaml, splitFrontMatter } from "../lib/formats/front-matter.ts";
import { isRecord } from "../lib/is-record.ts";
import { ownValue } from "../lib/json-tree.ts";
import { takeHead, toPlainLine } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { readAllowedTools } from "./allowed-tools.ts";
import type { SkillManifest, SkillNote, SkillRequirements } from "./skill.ts";

/** The limits of the Agent Skills specification. */
const longestName = 64;
const longestDescription = 1024;
const mostBodyTokens = 5000;
const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const mostNames = 50;
export const noRequirements: SkillRequirements = { bins: [], anyBins: [], env: [], os: [], tools: [] };

/** Whose block in `metadata` is meant for this program, the nearest relative first. */
const vendors = ["nanobot", "openclaw", "clawdbot"];

type Data = Record<string, unknown>;

export function isSkillName(name: string): boolean {
  return name.length <= longestName && namePattern.test(name);
}

/** `folder` is the name of the folder that SKILL.md is in. */
export async function readManifest(text: string, folder: string): Promise<SkillManifest> {
  const { yaml, body } = splitFrontMatter(text);
  const parsed = yaml === undefined ? undefined : await parseYaml(yaml);
  const data = isRecord(parsed) ? parsed : undefined;
  const notes: SkillNote[] = [];
  const note = (kind: SkillNote["kind"], subject = "") => void notes.push({ kind, subject });
  if (data === undefined) note(yaml === undefined ? "no-front-matter" : "invalid-front-matter");
  if (estimateTokens(body) > mostBodyTokens) note("long-body");
  const given = data ?? {};
  const vendor = await readVendor(given, note);
  return {
    name: readName(given, folder, note),
    description: readDescription(given, body, note),
    always: isTrue(given.always) || isTrue(vendor.always),
    requires: joinRequirements([given, vendor], note),
    wants: readAllowedTools(ownValue(given, "allowed-tools")),
    data: given,
    notes,
  };
}

type Note = (kind: SkillNote["kind"], subject?: string) => void;

function readName({ name }: Data, folder: string, note: Note): string {
  const given = typeof name === "string" ? takeHead(toPlainLine(name, longestName + 1), longestName) : "";
  if (given === "" && name !== undefined) note("wrong-type", "name");
  const chosen = given || folder;
  if (!isSkillName(chosen)) note("odd-name", chosen);
  if (chosen !== folder) note("name-differs", folder);
  return chosen;
}

function readDescription({ description }: Data, body: string, note: Note): string {
  if (typeof description === "string" && description.trim() !== "") {
    if (description.trim().length > longestDescription) note("long-description");
    return toPlainLine(description, longestDescription);
  }
  note("no-description");
  return toPlainLine(describeBody(body), longestDescription);
}

/** The first heading and the first paragraph. */
function describeBody(body: string): string {
  const heading = /^#{1,6}[ \t]+(.+)$/m.exec(body)?.[1]?.trim();
  const blocks = body.replaceAll(/^#{1,6}[ \t].*$/gm, "\n").split(/\n[ \t]*\n/);
  const paragraph = blocks.find((block) => /^\s*[^\s`|<>-]/.test(block));
  return [heading, paragraph?.trim()].filter((part) => part !== undefined).join(": ");
}

async function readVendor({ metadata }: Data, note: Note): Promise<Data> {
  // JSON is YAML, and YAML forgives the comma too many that people leave in it.
  const value = typeof metadata === "string" ? await parseYaml(metadata) : metadata;
  if (!isRecord(value)) {
    if (metadata !== undefined) note("wrong-type", "metadata");
    return {};
  }
  return vendors.map((vendor) => ownValue(value, vendor)).find(isRecord) ?? {};
}

function joinRequirements(blocks: Data[], note: Note): SkillRequirements {
  const joined = { ...noRequirements };
  for (const block of blocks) {
    const { requires, os } = block;
    if (requires !== undefined && requires !== null && !isRecord(requires)) note("wrong-type", "requires");
    // OpenClaw has `os` next to `requires`, not in it.
    const given: Data = { os, ...(isRecord(requires) ? requires : {}) };
    for (const key of Object.keys(noRequirements) as Array<keyof SkillRequirements>)
      joined[key] = [...new Set([...joined[key], ...readNames(given, key, note)])];
  }
  return joined;
}

function readNames(block: Data, key: string, note: Note): string[] {
  const value = ownValue(block, key) ?? [];
  const list = Array.isArray(value) ? value : [value];
  const names = list.filter((item) => typeof item === "string" && item.trim() !== "");
  if (names.length < list.length) note("wrong-type", `requires.${key}`);
  return names.slice(0, mostNames).map((name) => toPlainLine(name, longestName));
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|on|1)$/i.test(value));
}
