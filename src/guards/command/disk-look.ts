// What is at a path right now, behind links. Not for deciding who may touch it.
import { statSync } from "node:fs";
import { codeOf } from "../file-error.ts";

export function lookAt(path: string): "folder" | "file" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "nothing";
  }
}
