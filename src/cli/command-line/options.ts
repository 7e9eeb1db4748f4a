// The commands of the terminal program: their names, actions and options. Knows neither how they are typed nor what they do.
import type { Misfire } from "../../storage/jobs/job.ts";
import type { Signature } from "../../storage/jobs/trigger-file.ts";
import type { UsageGroup } from "../../storage/queues/ledger.ts";

export const defaultSession = "cli:direct";

export interface GlobalOptions {
  /** A config file; its folder becomes the home. */
  config?: string;
  workspace?: string;
  verbose?: boolean;
  /** An assistant of this machine other than the first. */
  home?: string;
}

export interface AgentOptions extends GlobalOptions {
  message?: string;
  /** Files that go with the message. */
  media?: string[];
  session?: string;
  json?: boolean;
  /** Lines only, nothing is drawn over. */
  plain?: boolean;
}

export interface StatusOptions extends GlobalOptions {
  json?: boolean;
}

export interface ContextOptions extends GlobalOptions {
  /** What changed since the last request, instead of what the next one contains. */
  what?: "diff";
  session?: string;
  message?: string;
  json?: boolean;
  raw?: boolean;
}

export const skillsActions = [
  "list",
  "show",
  "add",
  "remove",
  "enable",
  "disable",
  "allow",
  "grant",
  "revoke",
  "check",
  "revisions",
  "apply",
  "refuse",
] as const;

export interface SkillsOptions extends GlobalOptions {
  action: (typeof skillsActions)[number];
  /** A skill's name, or where one comes from. */
  target?: string;
  /** The one to add, where there are several. */
  name?: string;
  json?: boolean;
  yes?: boolean;
  allowFlagged?: boolean;
}

export const memoryActions = ["show", "search", "why", "dream", "log", "diff", "restore", "forget"] as const;

export interface MemoryOptions extends GlobalOptions {
  action: (typeof memoryActions)[number];
  words: string[];
  json?: boolean;
  yes?: boolean;
}

export const mcpActions = ["list", "add", "remove", "test", "login", "logout", "serve"] as const;

export interface McpOptions extends GlobalOptions {
  action: (typeof mcpActions)[number];
  name?: string;
  /** A program and its arguments. */
  words: string[];
  url?: string;
  header?: string[];
  env?: string[];
  preset?: string;
  test: boolean;
  browser: boolean;
  json?: boolean;
}

export const ownCodeActions = {
  tools: ["list", "allow", "remove"],
  channels: ["list", "allow", "block"],
} as const;

export interface OwnCodeOptions extends GlobalOptions {
  action: (typeof ownCodeActions)["tools" | "channels"][number];
  name?: string;
  json?: boolean;
  yes?: boolean;
}

export interface OnboardOptions extends GlobalOptions {
  provider?: string;
  model?: string;
  apiBase?: string;
  apiKeyEnv?: string;
  apiKeyStdin?: boolean;
  test: boolean;
  skipBootstrap?: boolean;
  yes?: boolean;
}

export const gatewayActions = [
  "run",
  "start",
  "stop",
  "status",
  "logs",
  "install-service",
  "uninstall-service",
] as const;

export interface GatewayOptions extends GlobalOptions {
  action: (typeof gatewayActions)[number];
  port?: number;
  /** Lines of the log. */
  tail?: number;
  /** Only show what would be installed. */
  dryRun?: boolean;
  follow?: boolean;
  json?: boolean;
}

export const cronActions = ["list", "add", "remove", "run", "pause", "resume", "history"] as const;

export interface CronOptions extends GlobalOptions {
  action: (typeof cronActions)[number];
  /** Of a job. */
  id?: string;
  name?: string;
  message?: string;
  at?: string;
  every?: string;
  cron?: string;
  tz?: string;
  deliver?: boolean;
  channel?: string;
  /** A chat of that channel. */
  to?: string;
  misfire?: Misfire;
  json?: boolean;
}

export const pairingActions = ["list", "approve", "deny", "revoke"] as const;

export interface PairingOptions extends GlobalOptions {
  action: (typeof pairingActions)[number];
  /** A code; for `revoke` a channel and a sender. */
  words: string[];
  owner?: boolean;
  person?: string;
  json?: boolean;
}

export interface TriggerOptions extends GlobalOptions {
  /** Or id. */
  name: string;
  /** Absent: what is piped in. */
  message?: string;
  json?: boolean;
}

/** As `signatures` of the repository, which is not loaded for a command line. */
export const signatureKinds = ["bearer", "github", "stripe"] as const satisfies readonly Signature[];

export const triggerActions = ["list", "add", "remove"] as const;

export interface TriggersOptions extends GlobalOptions {
  action: (typeof triggerActions)[number];
  name?: string;
  channel?: string;
  to?: string;
  signature?: (typeof signatureKinds)[number];
  template?: string;
  json?: boolean;
}

export const outboxActions = ["list", "retry", "drop"] as const;

export interface OutboxOptions extends GlobalOptions {
  action: (typeof outboxActions)[number];
  /** Of a part, or `all`. */
  id?: string;
  json?: boolean;
}

export const clusterActions = ["init", "worker", "status", "homes", "doctor", "rotate-key"] as const;

export interface ClusterOptions extends GlobalOptions {
  action: (typeof clusterActions)[number];
  /** Of `homes`: what to do, with which home, and a folder. */
  words?: string[];
  /** Of the worker. */
  name?: string;
  folder?: string;
  capacity?: number;
  leaseMs?: number;
  /** Seconds; 0: homes never sleep. */
  sleepAfter?: number;
  /** Where it is asked for every home. */
  port?: number;
  listen?: string;
  /** Under which other workers reach it. */
  address?: string;
  /** All homes are one owner's, and found below this address. */
  paths?: string;
  json?: boolean;
}

export const homesActions = ["list", "add", "remove"] as const;

export interface HomesOptions extends GlobalOptions {
  action: (typeof homesActions)[number];
  name?: string;
  yes?: boolean;
  json?: boolean;
}

export const usageGroups: UsageGroup[] = ["day", "cause", "model", "person", "session"];

export interface UsageOptions extends GlobalOptions {
  by: UsageGroup;
  since?: string;
  csv?: boolean;
  json?: boolean;
}

export const tokenActions = ["list", "add", "remove"] as const;

export interface WebOptions extends GlobalOptions {
  /** Tokens for programs instead of a link for a browser; then with an action and its words. */
  topic?: "token";
  action: (typeof tokenActions)[number];
  /** The name of a token; for `add` the operations follow. */
  words: string[];
  /** Who the link is for, instead of the owner. */
  guest?: string;
  open?: boolean;
  signOut?: boolean;
  json?: boolean;
}

export interface DoctorOptions extends GlobalOptions {
  json?: boolean;
}

export interface BackupOptions extends GlobalOptions {
  /** Where to; default: a dated name in the folder where it was typed. */
  file?: string;
  json?: boolean;
}

export interface RestoreOptions extends GlobalOptions {
  file: string;
  yes?: boolean;
}

export interface MoveInOptions extends GlobalOptions {
  /** Folder of the other assistant; default: where such folders usually are. */
  from?: string;
  dryRun?: boolean;
  /** Whether keys and tokens are copied; absent: it is asked. */
  secrets?: boolean;
  yes?: boolean;
  json?: boolean;
}

export const providerActions = ["login", "logout"] as const;

export interface ProviderOptions extends GlobalOptions {
  action: (typeof providerActions)[number];
  name?: string;
  browser?: boolean;
  json?: boolean;
}

/** The options of each command. */
export interface CommandOptions {
  agent: AgentOptions;
  onboard: OnboardOptions;
  provider: ProviderOptions;
  "move-in": MoveInOptions;
  status: StatusOptions;
  context: ContextOptions;
  skills: SkillsOptions;
  memory: MemoryOptions;
  mcp: McpOptions;
  acp: GlobalOptions;
  tools: OwnCodeOptions;
  channels: OwnCodeOptions;
  gateway: GatewayOptions;
  web: WebOptions;
  cron: CronOptions;
  trigger: TriggerOptions;
  triggers: TriggersOptions;
  pairing: PairingOptions;
  outbox: OutboxOptions;
  usage: UsageOptions;
  doctor: DoctorOptions;
  backup: BackupOptions;
  restore: RestoreOptions;
  homes: HomesOptions;
  cluster: ClusterOptions;
}

/** A command that was typed, with its options. */
export type Invocation = {
  [Name in keyof CommandOptions]: { command: Name; options: CommandOptions[Name] };
}[keyof CommandOptions];
