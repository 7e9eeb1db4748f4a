// Rows of a cluster's tables as the program knows them, and what one call to the database stores.
import type { FileRow } from "./home-tree.ts";

export interface Held {
  id: string;
  term: string;
  token: string;
  version: number;
  /** What the operator lets it do, as src/lib/process/operator-policy.ts reads it. */
  allowed: string;
}

/** What one commit stores, sealed. The same one may be sent again: it is stored once. */
export interface Shipment {
  id: string;
  expected: number;
  files: Array<Omit<FileRow, "path"> & { name: Buffer }>;
  removed: number[];
  cuts: Array<{ file: number; no: number }>;
  blocks: Array<{ file: number; no: number; bytes: Buffer }>;
  changes: Array<{ seq: number; bytes: Buffer }>;
  forgetsChanges: boolean;
}

export type Verdict = "stored" | "lost" | "over" | "quota";

export interface HomeRow {
  id: string;
  term: string;
  holder: string | null;
  address: string | null;
  isHeld: boolean;
  version: number;
  bytes: number;
  quota: number | null;
  takes: number;
  isSuspended: boolean;
  allowed: string;
  /** It sleeps: until then, or until somebody asks for it. */
  isAsleep: boolean;
}

export interface WorkerRow {
  name: string;
  address: string;
  homes: number;
  capacity: number;
  isAlive: boolean;
}

export interface DatabaseFacts {
  version: string;
  isSynced: boolean;
  isCommitted: boolean;
  mostConnections: number;
  standbys: number;
  /** Encrypted, or on this machine. */
  isPrivate: boolean;
  now: number;
  bytes: number;
}

export interface TakingWorker {
  name: string;
  address: string;
  /** Homes that still end there. */
  except?: string[];
}

export interface FoundHome {
  id: string;
  /** Of the worker that holds it now. */
  address: string | null;
  isAsleep: boolean;
}

export interface StoredFile {
  file: number;
  version: number;
  name: Buffer;
  kind: number;
  mode: number;
  size: number;
}

export interface StoredBlock {
  file: number;
  no: number;
  version: number;
  bytes: Buffer;
}
