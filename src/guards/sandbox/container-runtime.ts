// A container runtime that the owner names (docker, podman) as the sandbox of systems that have no other: each command in a
// container of its own, with nothing of this system but what is bound. One that its starter left behind is removed.

import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import * as z from "zod";
import { listLeftRecords, RunRecord } from "./run-records.ts";
import type { Container } from "./sandbox.ts";
import type { Place } from "./sandbox-places.ts";

export interface RuntimeSettings {
  /** Its program, by name or path. */
  program: string;
  image: string;
}

const recordKind = "containers";
const recordSchema = z.array(z.string());
const limits = ["--pids-limit", "512", "--memory", "4g"];
/** A start of a container takes longer than that of a process. */
const patienceMs = 30_000;

/** What the program itself needs of our environment; the command gets none of it. */
const ownVariables = ["PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "CONTAINER_HOST"];

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    ownVariables.map((name) => [name, process.env[name] ?? ""]).filter(([, value]) => value !== ""),
  );
}

/** What it said where it does not work. The image has to be there: nothing is fetched. */
export function openRuntime(
  { program: name, image }: RuntimeSettings,
  { path, runFolder }: { path: string; runFolder?: string | undefined },
): Container | { detail: string; isAnswer: boolean } {
  const program = [name, ...path.split(delimiter).map((folder) => join(folder, name))].find(
    (file) => file.includes("/") && existsSync(file),
  );
  if (program === undefined) return { detail: `${name}: not found`, isAnswer: true };
  const container = createRuntime(program, image, runFolder);
  const { file, args, release } = container.wrap({
    words: ["true"],
    folder: "/",
    places: [],
    userFolder: "/",
    network: "none",
  });
  const { status, signal, stderr, error } = spawnSync(file, args, {
    timeout: patienceMs,
    encoding: "utf8",
    env: ownEnvironment(),
  });
  void release?.();
  if (status === 0) return container;
  const said = stderr?.trim().split("\n").at(-1);
  return {
    detail: said || error?.message || `${name} ended with ${signal ?? status}`,
    isAnswer: signal === null,
  };
}

function createRuntime(program: string, image: string, runFolder: string | undefined): Container {
  const record = runFolder === undefined ? undefined : new RunRecord(runFolder, recordKind);
  const running = new Set<string>();
  const note = () => record?.write(running.size === 0 ? undefined : [...running]);
  for (const { value, remove } of runFolder === undefined ? [] : listLeftRecords(runFolder, recordKind)) {
    for (const left of recordSchema.safeParse(value).data ?? []) void removeContainer(program, left);
    remove();
  }
  const { getuid, getgid } = process;
  const user = getuid === undefined ? [] : ["--user", `${getuid()}:${getgid?.() ?? 0}`];
  // Without it, files of the workspace would belong to somebody else in the container.
  const keepsUser = basename(program).startsWith("podman") ? ["--userns", "keep-id"] : [];
  const fixed = [
    ...["run", "--rm", "--interactive", "--init", "--pull", "never", "--read-only", "--hostname", "nanobot"],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp", ...limits],
    ...user,
    ...keepsUser,
  ];
  return {
    name: "runtime",
    wrap({ words, folder, places, userFolder, network, variables = [] }) {
      const name = `nanobot-${randomUUID()}`;
      running.add(name);
      note();
      const args = [
        ...fixed,
        ...["--name", name, "--network", network === "all" ? "bridge" : "none"],
        ...(userFolder === "/" ? [] : ["--tmpfs", userFolder]),
        ...places.flatMap(toMount),
        // By name: what stands on a command line is seen by every account.
        ...variables.filter((name) => !ownVariables.includes(name)).flatMap((name) => ["--env", name]),
        ...["--env", `HOME=${userFolder}`],
        ...["--workdir", folder, image, ...words],
      ];
      const release = async () => {
        if (running.delete(name)) await removeContainer(program, name);
        note();
        return [];
      };
      return { file: program, args, env: ownEnvironment(), cwd: "/", release };
    },
  };
}

/** In the form of CSV: a path may hold a comma. */
function toMount({ path, access, isFolder }: Place): string[] {
  if (access === "none" && isFolder) return ["--tmpfs", path];
  const source = access === "none" ? "/dev/null" : path;
  const fields = [
    "type=bind",
    `source=${source}`,
    `target=${path}`,
    ...(access === "write" ? [] : ["readonly"]),
  ];
  return [
    "--mount",
    fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(","),
  ];
}

/** Also one that runs on though its starter is gone; nothing happens where there is none. */
function removeContainer(program: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(program, ["rm", "--force", name], {
      stdio: "ignore",
      timeout: patienceMs,
      env: ownEnvironment(),
    });
    child.on("close", () => resolve());
    child.on("error", () => resolve());
  });
}
