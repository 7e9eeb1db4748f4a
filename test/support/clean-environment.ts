// Runs before each test file: no key, setting or proxy of the person who runs the tests may reach them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const leaks = /(_API_KEY|_TOKEN)$|^NANOBOT_|^(https?|all|no)_proxy$|^npm_/i;
for (const name of Object.keys(process.env)) if (leaks.test(name)) delete process.env[name];

const home = mkdtempSync(join(tmpdir(), "nanobot-test-home-"));
process.env.HOME = home;
process.env.LANG = "en_US.UTF-8";
delete process.env.LC_ALL;
delete process.env.LC_MESSAGES;
delete process.env.LANGUAGE;
delete process.env.NO_COLOR;
delete process.env.FORCE_COLOR;

afterAll(() => rmSync(home, { recursive: true, force: true }));
