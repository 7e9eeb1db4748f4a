// What can be wrong with asking for a version, as data and as an English sentence; the words of other languages are
// found by its kind.

export type VersionFault =
  | { kind: "unknown"; id: string }
  | { kind: "ambiguous"; id: string; matches: string[] }
  | { kind: "first"; id: string }
  | { kind: "nothing"; id: string }
  | { kind: "conflict"; id: string; path: string; later?: string };

export type VersionsProblem =
  | { kind: "damaged"; folder: string; keptAs: string }
  | { kind: "unwritable"; folder: string; code: string };

export class VersionError extends Error {
  override readonly name = "VersionError";
  readonly fault: VersionFault;

  constructor(fault: VersionFault) {
    super(`No version can be restored or shown: ${JSON.stringify(fault)}.`);
    this.fault = fault;
  }
}
