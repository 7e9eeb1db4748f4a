// What is at a path right now, behind links. Not for deciding who may touch it.
import { accessSync, constants, statSync } from "node:fs";
import { codeOf } from "../file-error.ts";

export function lookAt(path: string): "folder" | "file" | "nothing" {
  try {
    if (!statSync(path).isDirectory()) return "file";
    // One that cannot be entered is none for a shell.
    accessSync(path, constants.X_OK);
    return "folder";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "nothing";
  }
}
