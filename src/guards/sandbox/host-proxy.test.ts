// Commands in the sandbox that were granted a host: this one is reached, and nothing else.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandboxedShell, hasBubblewrap } from "../../../test/support/sandboxed-shell.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";

const addresses: Record<string, string> = {
  "good.example": "127.0.0.1",
  "a.good.example": "127.0.0.1",
  "inner.example": "10.0.0.1",
};
const hasCurl = hasSystemPart(["curl", "--version"], "curl");

async function setUp(allow = ["127.0.0.1/32"]) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.headers.host}${request.url}`);
    response.end("reached");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const resolve = async (host: string) => [{ address: addresses[host] ?? "127.0.0.1", family: 4 }];
  const { run } = await createSandboxedShell({ sandbox: { proxy: { allow, resolve } } });
  return { run, port, seen };
}

describe.runIf(hasBubblewrap() && hasCurl)("a command that was granted a host", () => {
  const curl = "curl -sS --max-time 20";

  it("reaches this host, plainly and through a tunnel", async () => {
    const { run, port, seen } = await setUp();
    const address = `http://good.example:${port}`;
    expect(await run(`${curl} ${address}/a?b=1`, { network: ["good.example"] })).toBe(
      "reached\nExit code: 0",
    );
    expect(
      await run(`${curl} --proxytunnel ${address}/t`, { network: [`https://good.example:${port}/`] }),
    ).toMatch(/^reached\n/);
    expect(await run(`${curl} http://a.good.example:${port}/w`, { network: ["*.good.example"] })).toMatch(
      /^reached\n/,
    );
    expect(seen).toEqual([
      `good.example:${port}/a?b=1`,
      `good.example:${port}/t`,
      `a.good.example:${port}/w`,
    ]);
  });

  it("reaches no other, by name, address, header or another port, and is told which", async () => {
    const { run, port, seen } = await setUp();
    const network = [`good.example:${port}`];
    const output = await run(
      `${curl} http://evil.example:${port}/; ${curl} --proxytunnel http://evil.example:${port}/`,
      { network },
    );
    expect(output).toMatch(/Not reached.*\["evil.example"\].*network/);
    for (const command of [
      `${curl} http://127.0.0.1:${port}/`,
      `${curl} --noproxy '*' http://127.0.0.1:${port}/`,
      `${curl} http://good.example.evil.example:${port}/`,
      `${curl} http://xgood.example:${port}/`,
      `${curl} http://good.example:1/`,
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      `printf 'GET http://evil.example:${port}/ HTTP/1.1\\r\\nHost: good.example:${port}\\r\\n\\r\\n' | timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; cat >&3; timeout 2 cat <&3'`,
    ])
      await run(command, { network });
    expect(seen).toEqual([]);
    await run(`${curl} -H 'Host: evil.example' http://good.example:${port}/h`, { network });
    expect(seen).toEqual([`good.example:${port}/h`]);
  });

  it("reaches no private address, whatever the name says", async () => {
    const { run, port, seen } = await setUp([]);
    expect(
      await run(`${curl} -o /dev/null -w '%{http_code}' http://good.example:${port}/`, {
        network: ["good.example"],
      }),
    ).toMatch(/^403/);
    expect(await run(`${curl} http://inner.example/`, { network: ["inner.example"] })).toMatch(/Not reached/);
    expect(seen).toEqual([]);
  });

  it("keeps its exit code, its input and its limits, and leaves no socket", async () => {
    const { run } = await setUp();
    const network = ["good.example"];
    expect(await run("exit 7", { network })).toBe("Exit code: 7");
    expect(await run("kill -9 $$", { network })).toBe("Exit code: 137");
    expect(await run("cat /etc/shadow; ls ~/.ssh", { network })).not.toMatch(/canary|root:/);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("nanobot-proxy-"));
    await run("true", { network });
    expect(
      readdirSync(tmpdir()).filter((name) => name.startsWith("nanobot-proxy-")).length,
    ).toBeLessThanOrEqual(left.length);
  });

  it("by programs of Node and Python as well", async () => {
    const { run, port } = await setUp();
    const address = `http://good.example:${port}/`;
    const python = `python3 -c 'import urllib.request as u; print(u.urlopen("${address}").read().decode())'`;
    expect(await run(python, { network: ["good.example"] })).toMatch(/^reached\n/);
  });
});
