// A real mail server on loopback: Dovecot, with a folder of mails for each account. The test that starts it
// stops it.
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Relay, startRelay } from "./relay.ts";
import { findPort, startServerProcess } from "./server-process.ts";

const password = "correct-horse";

export interface Dovecot {
  openAccount(): Promise<MailAccount>;
  stop(): Promise<void>;
}

export interface MailAccount extends Relay {
  user: string;
  password: string;
  /** Puts a letter into the inbox, as a delivery would. */
  deliver(letter: string | Uint8Array): Promise<void>;
  /** Flags of the letters that were seen by a client, in order: `S` for read, `a` for a first mark of its own. */
  flags(): Promise<string[]>;
}

export interface DovecotOptions {
  /** All that the server says that it can, instead of what it really can. */
  capability?: string;
}

export async function startDovecot({ capability = "" }: DovecotOptions = {}): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-mail-"));
  // Its login process is another user where it was started by root.
  await chmod(folder, 0o755);
  const port = await findPort();
  const config = join(folder, "dovecot.conf");
  await writeFile(config, toConfig(folder, port, capability));
  const server = await startServerProcess(["dovecot", "-F", "-c", config], { port, speaksFirst: true });
  let accounts = 0;
  return {
    openAccount: () => openAccount(folder, `bot${++accounts}`, port),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openAccount(folder: string, user: string, port: number): Promise<MailAccount> {
  const inbox = join(folder, user);
  for (const name of ["", "tmp", "new", "cur"]) {
    await mkdir(join(inbox, name), { recursive: true });
    await chmod(join(inbox, name), 0o777);
  }
  const relay = await startRelay(port);
  let count = 0;
  return {
    ...relay,
    user,
    password,
    async deliver(letter) {
      count += 1;
      const name = `${1_000_000_000 + count}.M${count}.test`;
      await writeFile(join(inbox, "tmp", name), letter);
      await rename(join(inbox, "tmp", name), join(inbox, "new", name));
    },
    async flags() {
      const seen = await readdir(join(inbox, "cur"));
      return seen.toSorted().map((file) => /:2,(.*)$/.exec(file)?.[1] ?? "");
    },
  };
}

function toConfig(folder: string, port: number, capability: string): string {
  const isRoot = process.getuid?.() === 0;
  const { username: me, uid, gid } = userInfo();
  // It serves nobody's mail as root.
  const owner = isRoot ? { uid: 65_534, gid: 65_534 } : { uid, gid };
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
${capability === "" ? "" : `imap_capability = ${capability}`}
default_internal_user = ${isRoot ? "dovecot" : me}
default_internal_group = ${isRoot ? "dovecot" : String(gid)}
default_login_user = ${isRoot ? "dovenull" : me}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/%n
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/%n
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`;
}
