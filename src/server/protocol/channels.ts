// Channels on the wire: how each fares, its form, who may speak, and what could not be sent.
import type { ChannelHealth } from "../../channels/manager.ts";

export interface ChannelCard {
  name: string;
  /** One of the person's own. */
  isOwn: boolean;
  isEnabled: boolean;
  /** Absent: it does not run. */
  health?: ChannelHealth;
  /** Why it could not be made. */
  problem?: string;
  /** What has to be typed first: a command that installs what it needs. */
  install?: string;
  /** Its settings are not those that it runs with: the gateway has to be started again. */
  isChanged: boolean;
}

export type FieldValue = string | number | boolean | string[];

export interface FormField {
  key: string;
  kind: "text" | "secret" | "number" | "switch" | "choice" | "list";
  about: string;
  usual?: FieldValue;
  choices?: string[];
  isNeeded: boolean;
  /** Every channel has it. */
  isShared: boolean;
  /** Of a secret: whether there is one. It is never told. */
  isSet?: boolean;
  value?: FieldValue;
}

/** Only what was changed; null takes a key away. */
export type FormValues = Record<string, FieldValue | null>;

/** `refused`: the platform does not take it; `unreachable`: nobody can tell. */
export type CheckResult =
  | { isGood: true; name: string }
  | { isGood: false; kind: "refused" | "unreachable"; message: string };

export interface ChannelsMethods {
  "channels.list": {
    params: object;
    result: { channels: ChannelCard[] };
  };
  "channels.form": { params: { name: string }; result: { fields: FormField[]; canCheck: boolean } };
  /** What is wrong is told at the fields `values.<key>`. Acts when the gateway starts again. */
  "channels.save": { params: { name: string; values: FormValues }; result: object };
  /** Asks the platform itself, with what was not saved yet. */
  "channels.check": { params: { name: string; values: FormValues }; result: CheckResult };
}
