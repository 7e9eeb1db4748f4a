// Settings on the wire: the whole config with its schema, and changes to it; models, the program itself, and its log.

/** Stands for a value that is never sent. Sent back, it means: as it is. */
export const maskedValue = "••••••••";

export interface ConfigSnapshot {
  /** JSON schema of the config, with descriptions and defaults. */
  schema: Record<string, unknown>;
  /** What the file says, secrets masked; references to variables as they are written. */
  file: Record<string, unknown>;
  /** What holds: of the file, the environment and the defaults, secrets masked. Absent when it cannot be used. */
  values?: Record<string, unknown>;
  /** Keys that an environment variable sets, such as `api.port`, with its name. */
  variables: Record<string, string>;
  /** Where the file is. */
  path: string;
  problems: ConfigNote[];
  warnings: ConfigNote[];
  /** Keys that were changed since the start and count only after the next one. */
  waiting: string[];
  canRestart: boolean;
}

/** What is said about the file; `path` is a setting's, or empty. */
export interface ConfigNote {
  path: string;
  message: string;
}

export interface ConfigChange {
  path: string[];
  /** Absent or null: the key is removed, and its default holds again. */
  value?: unknown;
}

export interface HostCard {
  name: string;
  label: string;
  kind: "vendor" | "gateway" | "local" | "direct";
  needsKey: boolean;
  /** It has none of its own: one must be given. */
  needsAddress: boolean;
  defaultModel?: string;
  /** Where a key is to be had. */
  keyPage?: string;
  /** Where a key was found. */
  key?: { from: "config" } | { from: "environment"; variable: string };
}

export interface ModelPlan {
  /** A name of the list, or one of the person's own with an address. */
  host: string;
  model: string;
  /** Absent, or masked: the one that is there. */
  apiKey?: string;
  apiBase?: string;
}

export type ModelTrial =
  /** `host`: the one that took the key, such as the vendor's other side. */
  { ok: true; ms: number; host: string } | { ok: false; message: string };

export interface ModelState {
  model: string;
  host: string;
  /** No model of any host answers. */
  isOffline: boolean;
  /** Nobody has chosen anything yet. */
  isFirstRun: boolean;
  why: string;
}

export interface ConfigMethods {
  "config.read": { params: object; result: ConfigSnapshot };
  /** All of it or nothing. A problem has the paths of what is wrong, or of what widens rights and is not in `sure`. */
  "config.patch": { params: { changes: ConfigChange[]; sure?: string[] }; result: ConfigSnapshot };
  "model.state": { params: object; result: ModelState };
  "model.hosts": { params: object; result: { hosts: HostCard[] } };
  /** Servers on the gateway's machine that answered, with what they have. */
  "model.local": {
    params: object;
    result: { servers: Array<{ host: string; label: string; models: string[] }> };
  };
  /** One real question; nothing is changed. */
  "model.test": { params: ModelPlan; result: ModelTrial };
  /** Tried first unless that is not wanted; kept only when it worked. */
  "model.use": { params: ModelPlan & { isUntested?: boolean }; result: ModelTrial };
  /** The latest lines; those that follow come as events until it is switched off or the connection ends. */
  "logs.follow": { params: { isOn: boolean }; result: { lines: string[] } };
}
