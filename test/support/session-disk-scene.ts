// A gateway whose conversations are on a disk of their own that is full, has no room for another file, or is read-only for a
// while: what people are told meanwhile, and what was lost or done twice. Needs no test runner.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ChatScene, until } from "./chat-scene.ts";
import type { SmallDisk } from "./small-disk.ts";
import { answeredIn, doTasks, type Task } from "./task-model.ts";

export interface DiskTrouble {
  kind: "full" | "no inodes" | "read-only";
  /** By -9, while the trouble lasts. */
  isKilled?: boolean;
}

export interface DiskTally {
  trouble: string;
  asked: number;
  lost: number[];
  doubleEffects: number;
  doubleAnswers: number;
  /** In each of the chats: that their message has to wait. */
  waitNotices: number[];
  /** Told to a person although it names a file of this machine, or is no answer at all. */
  improper: string[];
  hasEnded: boolean;
}

/** For a start, and for the answers: pauses between tries grow to a minute. */
const patienceMs = 180_000;
/** One that has a file already, and one that has none. */
const chatsOfTrouble = 2;
const sessionsSize = "size=256k,nr_inodes=200";
const notice = "I cannot save anything at the moment";

export async function runDiskTroubles(
  program: string[],
  troubles: readonly DiskTrouble[],
): Promise<DiskTally[]> {
  await using scene = await SessionDiskScene.open(program, troubles.length);
  const tallies: DiskTally[] = [];
  for (const trouble of troubles) tallies.push(await scene.meet(trouble));
  return tallies;
}

interface Asked extends Task {
  chat: number;
}

class SessionDiskScene implements AsyncDisposable {
  readonly #chats: ChatScene;
  readonly #disk: SmallDisk;
  readonly #sessions: string;
  #asked: Asked[] = [];
  #number = 0;
  #firstChat = 0;

  private constructor(chats: ChatScene, disk: SmallDisk) {
    this.#chats = chats;
    this.#disk = disk;
    this.#sessions = join(chats.home, "sessions");
  }

  static async open(program: string[], troubles: number): Promise<SessionDiskScene> {
    const chats = await ChatScene.open({
      program,
      chats: chatsOfTrouble * troubles,
      config: { memory: { autoRecall: false } },
      channels: { collectMs: 30 },
      telegram: { reactEmoji: "" },
      hasDisk: true,
      reply: doTasks,
    });
    if (chats.disk === undefined) throw new Error("there is no disk");
    const scene = new SessionDiskScene(chats, chats.disk);
    await mkdir(chats.see("sessions"), { mode: 0o700 });
    await chats.disk.mountInside("-t", "tmpfs", "-o", `${sessionsSize},mode=700`, "tmpfs", scene.#sessions);
    return scene;
  }

  async meet(trouble: DiskTrouble): Promise<DiskTally> {
    const [known, fresh] = [this.#firstChat, this.#firstChat + 1];
    this.#asked = [];
    const before = (await this.#chats.readEffects()).length;
    await this.#start();
    this.#ask(known, "plain");
    await this.#settle();
    // Nothing is open then.
    await this.#chats.kill("SIGTERM");
    const end = await this.#begin(trouble);
    await this.#start();
    this.#ask(known, "write");
    this.#ask(fresh, "write");
    // The one with a file may be answered: there may be room for that.
    await until(() => this.#chats.toldIn(fresh).length > 0, patienceMs);
    this.#ask(fresh, "plain");
    if (trouble.isKilled === true) {
      await this.#chats.kill();
      await this.#start();
    }
    await end();
    await this.#settle();
    const { hasEnded } = this.#chats;
    await this.#chats.kill("SIGTERM");
    this.#firstChat += chatsOfTrouble;
    const effects = (await this.#chats.readEffects()).slice(before);
    const isShown = (text: string) => trouble.isKilled === true && text.includes("<i>🔧");
    const told = [known, fresh].map((chat) => this.#chats.toldIn(chat));
    return {
      trouble: `${trouble.kind}${trouble.isKilled === true ? " and killed" : ""}`,
      asked: this.#asked.length,
      lost: this.#asked.filter((task) => this.#answersTo(task).length === 0).map(({ number }) => number),
      doubleEffects: effects.length - new Set(effects).size,
      doubleAnswers: this.#asked.filter((task) => this.#answersTo(task).length > 1).length,
      waitNotices: told.map((texts) => texts.filter((text) => text.startsWith(notice)).length),
      // What was being shown of a turn at a death may stay: it was sent, and its id not yet kept.
      improper: told
        .flat()
        .filter((text) => !text.startsWith(notice) && !isShown(text) && answeredIn(text).length === 0),
      hasEnded,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chats[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    this.#chats.start();
    await this.#chats.untilPolling(patienceMs);
  }

  /** What ends it again. */
  async #begin({ kind }: DiskTrouble): Promise<() => Promise<void>> {
    const files = this.#chats.see("sessions", "files");
    switch (kind) {
      case "full":
        await this.#disk.fill(this.#sessions);
        return () => this.#disk.clear(this.#sessions);
      case "no inodes":
        await mkdir(files);
        await createFilesUntilFull(files);
        return () => rm(files, { recursive: true });
      case "read-only":
        await this.#disk.mountInside("-o", "remount,ro", this.#sessions);
        return () => this.#disk.mountInside("-o", "remount,rw", this.#sessions);
    }
  }

  #ask(chat: number, kind: Task["kind"]): void {
    this.#asked.push({ chat, kind, number: this.#number });
    this.#chats.ask(chat, `${kind} ${this.#number}`);
    this.#number += 1;
  }

  async #settle(): Promise<void> {
    await until(() => this.#asked.every((task) => this.#answersTo(task).length > 0), patienceMs);
  }

  #answersTo({ chat, number }: Asked): string[] {
    return this.#chats.toldIn(chat).filter((text) => answeredIn(text).includes(number));
  }
}

async function createFilesUntilFull(folder: string): Promise<void> {
  try {
    for (let number = 0; ; number++) await writeFile(join(folder, String(number)), "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
