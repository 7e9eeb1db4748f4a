import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxedShell, guest, hasBubblewrap } from "../../../test/support/sandboxed-shell.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";

const isHere = hasBubblewrap();

describe.runIf(isHere)("a command in the sandbox", () => {
  it("works in the workspace, as ever", async () => {
    const { run, workspace } = await createSandboxedShell();
    expect(await run("cat note.md; echo 晚上好 > new.md; mkdir -p a/b; pwd")).toBe(
      `早上好\n${workspace}\nExit code: 0`,
    );
    expect(await readFile(join(workspace, "new.md"), "utf8")).toBe("晚上好\n");
    expect(await run("pwd", { working_dir: "a/b" })).toBe(`${workspace}/a/b\nExit code: 0`);
  });

  it("sees nothing of the user's folder but the workspace", async () => {
    const { run, userFolder } = await createSandboxedShell();
    expect(await run(`cat ~/.ssh/id_rsa ${userFolder}/.nanobot/config.json`)).not.toContain("canary");
    expect(await run("ls -A ~ ~/.nanobot")).toBe(
      `${userFolder}:\n.nanobot\n\n${userFolder}/.nanobot:\nworkspace\nExit code: 0`,
    );
  });

  it("works where the home is the root of everything", async () => {
    const { run } = await createSandboxedShell({ sandbox: { userFolder: "/" } });
    expect(await run("cat note.md")).toBe("早上好\nExit code: 0");
  });

  it("reads no secret of the system", async () => {
    const { run } = await createSandboxedShell();
    const output = await run(
      "cat /etc/shadow /etc/gshadow; cat /etc/ssh/*_key; ls -A /etc/ssl/private /root",
    );
    expect(output).toMatch(/\/etc\/shadow: Permission denied/);
    expect(output).not.toMatch(/:\$|PRIVATE KEY|root:/);
    expect(await run("head -1 /etc/passwd; ls /etc/ssl")).toMatch(/^root:.*\nExit code: 0$/s);
  });

  it("cannot write outside of the workspace, and is told so", async () => {
    const { run } = await createSandboxedShell();
    for (const path of ["/etc/x", "/usr/x", "/x", "/dev/x", "/var/x"]) {
      expect(await run(`echo x > ${path}`)).toMatch(/Read-only file system/);
    }
    expect(await run("echo x > /tmp/x && cat /tmp/x ~/x; echo y > ~/x && cat ~/x")).toMatch(/^x\ny\n/);
    expect(await run("ls -A /tmp")).not.toMatch(/^x$/m);
  });

  it("has no way to the kernel's settings, to other processes or back out", async () => {
    const { run } = await createSandboxedShell();
    const writable =
      "find /proc -path '/proc/[0-9]*' -prune -o -type f -print | while read -r f; do (: > $f) 2>/dev/null && echo $f; done; true";
    expect(await run(writable)).toBe("Exit code: 0");
    expect(await run("umount /etc/shadow; unshare -U true; mount -t tmpfs x /tmp")).not.toMatch(/code: 0/);
    expect(await run("grep CapEff /proc/self/status")).toContain("0000000000000000");
    expect(await run("ls -d /proc/[0-9]* | wc -l")).toMatch(/^[0-5]\n/);
    expect(await run("cat /proc/sys/kernel/hostname; ls -A /run /sys 2>&1")).toMatch(/^nanobot\n/);
    expect(await run(`kill -0 ${process.pid}`)).toMatch(/No such process/);
  });

  it("cannot take devices away from the system, nor from the next command", async () => {
    const { run } = await createSandboxedShell();
    const names = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`);
    const before = names.map((path) => statSync(path).mode);
    await run(`chmod 000 ${names.join(" ")}; chmod -R 000 /dev; chown 1 /dev/null; rm -f /dev/null`);
    // Not even for a moment: another command may be using it.
    expect(await run("chmod 000 /dev/null 2> why; stat -c %a /dev/null")).toContain("666");
    expect(names.map((path) => statSync(path).mode)).toEqual(before);
    expect(await run("echo x > /dev/null && head -c 3 /dev/zero | wc -c")).toBe("3\nExit code: 0");
  });

  it("has an environment without secrets", async () => {
    const { run } = await createSandboxedShell({
      exec: {
        environment: { ...process.env, OPENAI_API_KEY: "sk-1", npm_config_x: "1", MINE: "yes" },
        allowedEnvKeys: ["MINE"],
      },
    });
    const output = await run("env; cat /proc/1/environ | tr '\\0' '\\n'");
    expect(output).not.toMatch(/sk-1|npm_/);
    expect(output).toMatch(/^MINE=yes$/m);
    expect(output).toMatch(/^TMPDIR=\/tmp$/m);
  });

  it("has no network, not even to this machine, unless it was granted", async () => {
    const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { run } = await createSandboxedShell();
    const request = "printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3";
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && ${request}`;
    expect(await run(command)).toMatch(/Connection refused\nExit code: 1\n.*network/);
    expect(await run(command, { network: true })).toMatch(/reached\nExit code: 0$/);
    expect(await run("getent hosts localhost", { network: true })).toMatch(/localhost/);
  });

  it("ends with everything that it sent to the background", async () => {
    const { run, workspace } = await createSandboxedShell();
    expect(
      await run(
        "(while :; do date +%N > beat; sleep 0.02; done) & until [ -s beat ]; do sleep 0.02; done; echo ready",
      ),
    ).toBe("ready\nExit code: 0");
    const beat = await readFile(join(workspace, "beat"), "utf8");
    expect(await run("sleep 0.2")).toBe("Exit code: 0");
    expect(await readFile(join(workspace, "beat"), "utf8")).toBe(beat);
  });
});

describe.runIf(isHere)("inside of the workspace", () => {
  it("what the assistant keeps for itself cannot be changed, made or moved away", async () => {
    const { run, workspace } = await createSandboxedShell({
      files: {
        ".nanobot/workspace/memory/history.jsonl": "{}\n",
        ".nanobot/workspace/SOUL.md": "kind",
      },
      places: { promptFiles: ["SOUL.md"] },
    });
    const hostile = [
      "echo x >> memory/history.jsonl",
      "echo x > memory/2026-08-01.md",
      "echo 9 > memory/.dream_cursor",
      "mv memory away",
      "rm -f memory/history.jsonl",
      "mkdir -p prompts && echo x > prompts/identity.md",
      "echo x > cron/jobs.json",
      "mkdir -p skills/evil && echo x > skills/evil/SKILL.md",
      "echo x > sessions/a.jsonl",
      "echo x > people/bob/own.md",
      "echo evil > SOUL.md",
      "mv SOUL.md soul && echo evil > SOUL.md",
    ];
    for (const command of hostile) expect(await run(command), command).not.toMatch(/code: 0$/);
    expect(await readFile(join(workspace, "SOUL.md"), "utf8")).toBe("kind");
    expect(await readFile(join(workspace, "memory/history.jsonl"), "utf8")).toBe("{}\n");
    expect(await run("touch new.md; cat memory/history.jsonl > /dev/null")).toBe("Exit code: 0");
  });

  it("no empty folder is left, and what is closed stays closed while any command runs", async () => {
    const { run, workspace } = await createSandboxedShell();
    const bob = { ...guest, person: "bob" };
    const waits =
      "while [ ! -e go ]; do sleep 0.05; done; mkdir -p skills/evil || mkdir cron/evil || echo closed";
    const first = run(waits);
    expect(await run("ls")).toContain("skills");
    expect(await run("ls", {}, { origin: bob })).toContain("memory");
    await writeFile(join(workspace, "go"), "");
    expect(await first).toMatch(/^closed$/m);
    expect((await readdir(workspace)).sort()).toEqual(["go", "note.md", "people"]);
    expect(await readdir(join(workspace, "people/bob"))).toEqual(["own.md"]);
  });

  it("git works on a repository that it made", async () => {
    const { run } = await createSandboxedShell();
    const git = "git -c user.name=a -c user.email=a@b";
    expect(
      await run(`git init -q . && ${git} add note.md && ${git} commit -qm one && git log --oneline`),
    ).toMatch(/one\n.*Exit code: 0$/s);
    expect(await run("git init -q other && cd other && git remote add origin x && git remote")).toMatch(
      /^origin\n/,
    );
  });

  it("a link that a command made shows nothing more to the next one", async () => {
    const { run, userFolder } = await createSandboxedShell({ places: { promptFiles: ["SOUL.md"] } });
    await run(`mkdir .git; ln -s ${userFolder}/.ssh/id_rsa .git/config; ln -s ${userFolder}/.ssh .git/hooks`);
    await run(`ln -s ${userFolder}/.ssh/id_rsa SOUL.md`);
    expect(await run("cat SOUL.md .git/config .git/hooks/*")).not.toContain("canary");
  });
});

describe.runIf(isHere)("what else is visible", () => {
  it("is read-only at its own path, also by way of a link", async () => {
    const outside = await createTemporaryFolder({
      "skills/weather/SKILL.md": "sun",
      "rw/a": "1",
      "ro/b": "2",
    });
    await symlink(join(outside, "skills"), join(outside, "link"));
    const { run } = await createSandboxedShell({
      places: {
        readRootsFor: () => [join(outside, "link"), join(outside, "missing")],
        readBinds: [join(outside, "ro")],
        writeBinds: [join(outside, "rw")],
      },
    });
    expect(await run(`cat ${outside}/link/weather/SKILL.md ${outside}/skills/weather/SKILL.md`)).toMatch(
      /^sunsun\n/,
    );
    expect(await run(`echo x > ${outside}/link/weather/SKILL.md`)).toMatch(/Read-only/);
    expect(await run(`cat ${outside}/ro/b; echo x > ${outside}/ro/b`)).toMatch(/^2\nSTDERR:.*Read-only/s);
    expect(await run(`echo 3 > ${outside}/rw/a && cat ${outside}/rw/a`)).toMatch(/^3\n/);
    expect(await readFile(join(outside, "rw/a"), "utf8")).toBe("3\n");
  });

  it("keeps keys and the installation hidden inside of a folder that is bound, unless they are bound by name", async () => {
    const files = { "project/a": "1", ".config/gh/hosts.yml": "gh-token" };
    const all = await createSandboxedShell({ files, places: { readBinds: ["~"] } });
    expect(
      await all.run("cat ~/project/a ~/.ssh/id_rsa ~/.nanobot/config.json ~/.config/gh/hosts.yml"),
    ).toMatch(/^1\nSTDERR:\n(.*No such file.*\n){3}/);
    expect(await all.run("cat note.md; echo x > more.md")).toBe("早上好\nExit code: 0");
    const named = await createSandboxedShell({ files, places: { readBinds: ["~", "~/.config/gh"] } });
    expect(await named.run("cat ~/.config/gh/hosts.yml")).toMatch(/^gh-token\n/);
  });

  it("is for a guest the guest's own root alone", async () => {
    const { run, workspace } = await createSandboxedShell();
    expect(await run("cat own.md; echo x > new.md; ls", {}, { origin: guest })).toMatch(
      /^hers\nmemory\nnew.md\nown.md\nExit code: 0$/,
    );
    expect(
      await run(`cat ${workspace}/note.md ${workspace}/people/bob/own.md`, {}, { origin: guest }),
    ).toMatch(/(No such file.*\n.*){2}/);
    expect(await run(`ls -A ${workspace} ${workspace}/people`, {}, { origin: guest })).toMatch(
      /people:\nann\n/,
    );
  });

  it("must hold the working folder", async () => {
    const outside = await createTemporaryFolder({ "a/b": "" });
    const { sandbox, workspace } = await createSandboxedShell();
    const folder = { path: outside, realPath: outside };
    const origin = guest;
    const command = { words: ["true"] as [string], folder, env: {}, origin };
    await expect(sandbox.wrap(command)).rejects.toThrow(/does not show .*sandboxRoBinds/);
    await mkdir(join(workspace, "people/ann/sub"));
    await writeFile(join(workspace, "people/ann/sub/x"), "");
    const sub = join(workspace, "people/ann/sub");
    await expect(sandbox.wrap({ ...command, folder: { path: sub, realPath: sub } })).resolves.toBeDefined();
  });
});

describe.runIf(isHere)("its limits", () => {
  it("stop a fork bomb, and the machine goes on", async () => {
    const { run } = await createSandboxedShell();
    const output = await run("bomb() { bomb | bomb & }; bomb; sleep 60", { timeout: 5 });
    expect(output).toMatch(/Ended: it started too many processes|Resource temporarily unavailable/);
    expect(await run("echo alive")).toBe("alive\nExit code: 0");
  });

  it("let no process have 10 GB, and no folder in memory either", async () => {
    const { run } = await createSandboxedShell();
    expect(await run("dd if=/dev/zero of=/dev/null bs=10G count=1")).toMatch(/memory exhausted/);
    expect(await run("dd if=/dev/zero of=/dev/null bs=100M count=1")).toMatch(/Exit code: 0$/);
    expect(await run("df -k --output=size /tmp /dev/shm ~ | tail -n +2 | sort -u")).toMatch(/^ *1048576\n/);
  });

  it("cannot be raised from inside", async () => {
    const { run } = await createSandboxedShell();
    expect(await run("ulimit -d unlimited || echo no")).toMatch(/^no\n/);
  });

  it("leave room for programs that reserve much and use little", async () => {
    const folder = dirname(process.execPath);
    const { run } = await createSandboxedShell({ places: { readBinds: [folder] } });
    expect(await run(`${process.execPath} -e 'console.log(1 + 1)'`)).toMatch(/^2\n/);
  });
});
