// The model, the addresses and keys of model hosts, and the settings of chat platforms. Only what the config here does not
// say is added, in one change of the file; keys and tokens only where the owner agreed.

import { channelRows } from "../../channels/index.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { ConfigPatch } from "../../config/save.ts";
import { phrase } from "../../i18n/phrase.ts";
import { isRecord } from "../../lib/is-record.ts";
import { createRedactor, secretMark } from "../../lib/redact.ts";
import { simplifyProviderName } from "../../llm/config.ts";
import { findHost } from "../../llm/hosts/hosts.ts";
import type { ForeignChannel, ForeignHost, ForeignSettings } from "../../storage/foreign/foreign-home.ts";
import { leave, type MoveItem, type Step } from "./step.ts";

export interface SettingStep extends Step {
  patch?: ConfigPatch;
  isSecret?: true;
}

export function planSettings(settings: ForeignSettings, loaded: LoadedConfig): SettingStep[] {
  const from = settings.path;
  const hosts = settings.hosts.flatMap((host) => planHost(host, from, loaded));
  const named = new Set(settings.hosts.flatMap(({ name, apiBase }) => (apiBase === undefined ? [] : [name])));
  return [
    ...planModel(settings, loaded, named),
    ...hosts,
    ...settings.channels.flatMap((channel) => planChannel(channel, from, loaded)),
    ...settings.servers.map((name) => leave({ kind: "server", name, from }, phrase("move-in.add-server"))),
  ];
}

function planModel(
  { model, path: from }: ForeignSettings,
  loaded: LoadedConfig,
  named: Set<string>,
): SettingStep[] {
  if (model === undefined) return [];
  const item = { kind: "model" as const, name: model, from };
  const present = loaded.isSet("agents.defaults.model") ? loaded.config.agents.defaults.model : undefined;
  if (present === model) return [{ item: { ...item, action: "same" }, mark: [] }];
  if (present !== undefined) return [leave(item, phrase("move-in.already-set", { present }))];
  const [, host] = /^([^/]+)\//.exec(model) ?? [];
  if (host !== undefined && findHost(host) === undefined && !named.has(host))
    return [leave(item, phrase("move-in.unknown-host", { host }))];
  const defaults = { model, ...(host !== undefined && findHost(host) === undefined && { provider: host }) };
  return [add(item, "agents.defaults.model", { agents: { defaults } })];
}

function planHost(host: ForeignHost, from: string, loaded: LoadedConfig): SettingStep[] {
  const known = findHost(host.name);
  const name = known?.name ?? host.name;
  const wanted = simplifyProviderName(name);
  const block = Object.entries(loaded.config.providers).find(
    ([each]) => simplifyProviderName(each) === wanted,
  )?.[1];
  const steps: SettingStep[] = [];
  const isUsual = known?.baseUrl !== undefined && sameAddress(known.baseUrl, host.apiBase);
  if (known === undefined && host.apiBase === undefined) return [];
  if (host.apiBase !== undefined && !isUsual) {
    const item = { kind: "host" as const, name, from };
    const present = block?.apiBase;
    if (present === undefined)
      steps.push(
        add(item, `providers.${name}.apiBase`, { providers: { [name]: { apiBase: host.apiBase } } }),
      );
    else if (sameAddress(present, host.apiBase)) steps.push({ item: { ...item, action: "same" }, mark: [] });
    else steps.push(leave(item, phrase("move-in.already-set", { present })));
  }
  if (host.apiKey !== undefined)
    steps.push(
      planSecret({ name, from, key: `providers.${name}.apiKey` }, block?.apiKey, {
        providers: { [name]: { apiKey: host.apiKey } },
      }),
    );
  return steps;
}

function sameAddress(one: string, other: string | undefined): boolean {
  return other === undefined || one.replace(/\/+$/, "") === other.replace(/\/+$/, "");
}

function planChannel(channel: ForeignChannel, from: string, loaded: LoadedConfig): SettingStep[] {
  const { name, settings, secrets } = channel;
  const item = { kind: "channel" as const, name, from };
  if (!channelRows.some((row) => row.name === name)) return [leave(item, phrase("move-in.no-such-channel"))];
  const block = loaded.config.channels[name];
  const present = isRecord(block) ? block : {};
  // It cannot start without its token, which may not be copied.
  const values = { enabled: false, ...settings };
  const isThere = isRecord(block) && Object.keys(values).every((key) => key in block);
  return [
    isThere
      ? { item: { ...item, action: "same" }, mark: [] }
      : add(item, `channels.${name}`, { channels: { [name]: values } }),
    ...Object.entries(secrets).map(([key, secret]) =>
      planSecret({ name, from, key: `channels.${name}.${key}` }, present[key], {
        channels: { [name]: { enabled: channel.isEnabled, [key]: secret } },
      }),
    ),
  ];
}

function planSecret(
  { name, from, key }: { name: string; from: string; key: string },
  present: unknown,
  patch: ConfigPatch,
): SettingStep {
  const item: MoveItem = { kind: "secret", name, from, to: key, action: "add" };
  if (typeof present === "string" && present !== "") return { item: { ...item, action: "same" }, mark: [] };
  return { item, mark: [], patch, isSecret: true };
}

function add(item: Omit<MoveItem, "action">, to: string, patch: ConfigPatch): SettingStep {
  return { item: { ...item, to, action: "add" }, mark: [], patch };
}

/** All changes as one. */
export function joinPatches(patches: readonly ConfigPatch[]): ConfigPatch {
  return patches.reduce<ConfigPatch>((all, one) => merge(all, one), {});
}

function merge(a: ConfigPatch, b: ConfigPatch): ConfigPatch {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const old = merged[key];
    merged[key] = isRecord(old) && isRecord(value) ? merge(old, value) : value;
  }
  return merged;
}

/** Replaces a key. */
const leftOut = "***";

/**
 * Keys inside of texts of the other home: known by the values of its settings, and by shape. They come along only after a
 * yes.
 */
export class ForeignKeys {
  isAgreed = false;
  readonly #redactor = createRedactor();

  constructor(settings: ForeignSettings | undefined) {
    for (const { apiKey } of settings?.hosts ?? []) this.#redactor.add(apiKey);
    for (const { secrets } of settings?.channels ?? []) Object.values(secrets).forEach(this.#redactor.add);
  }

  clean(text: string): string {
    return this.#redactor.redact(text).replaceAll(secretMark, leftOut);
  }

  /** As it comes along. */
  take(text: string): string {
    return this.isAgreed ? text : this.clean(text);
  }

  isIn(...texts: string[]): boolean {
    return texts.some((text) => this.clean(text) !== text);
  }
}
