// Who may do what: test/fixtures/access.json has the matrix of 0.1.0, and the differences since then with their reasons.
// `node scripts/access-fixture.ts 0.1.0` makes the matrix.
import { readFile, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { slashCommands } from "../src/api/commands/index.ts";
import { packagePath } from "../src/lib/package-root.ts";
import { askCommands, askHttp, askSocket, askTools, type Matrix } from "./support/access-matrix.ts";
import { commandRows, httpRows, toolRows } from "./support/access-rows.ts";
import { type AccessScene, openAccessScene } from "./support/access-scene.ts";
import { closeTestGateways } from "./support/test-gateway.ts";
import { closeWebClients } from "./support/web-client.ts";

interface Fixture {
  about: string[];
  /** Names of 0.1.0 with the operation that took their place. What control and other routes could do is asked over the socket now. */
  renamed: Record<string, Record<string, string>>;
  /** Operations that 0.1.0 did not have, with the reason. */
  added: Record<string, string>;
  /** `now` instead of what the matrix says; `gone`: there is no such row any more. */
  differences: Array<{ surface: string; name: string; who: string; now: string; why: string }>;
  matrix: Matrix;
}

const path = packagePath("test/fixtures/access.json");
const isWritten = process.env.UPDATE_ACCESS === "1";

let scene: AccessScene;

afterEach(async () => {
  await scene.tidy();
  await closeWebClients();
  await closeTestGateways();
  await scene[Symbol.asyncDispose]();
});

async function expectMatrix(ask: typeof askSocket): Promise<void> {
  scene = await openAccessScene();
  const { matrix, faults } = await ask(scene);
  const fixture = JSON.parse(await readFile(path, "utf8")) as Fixture;
  if (isWritten) await writeFile(path, format({ ...fixture, matrix: { ...fixture.matrix, ...matrix } }));
  else {
    const known = Object.fromEntries(
      Object.entries(matrix).map(([surface, rows]) => [
        surface,
        Object.fromEntries(Object.entries(rows).filter(([name]) => !Object.hasOwn(fixture.added, name))),
      ]),
    );
    expect(known).toEqual(toExpected(fixture, Object.keys(matrix)));
  }
  expect(faults).toEqual([]);
}

function toExpected({ matrix, renamed, added, differences }: Fixture, surfaces: string[]): Matrix {
  const rename = (surface: string) => {
    const rows = Object.entries(matrix[surface] ?? {}).map(
      ([name, row]): [string | undefined, typeof row] => {
        const now = renamed[surface]?.[name];
        return [now !== undefined && surface !== "socket" ? undefined : (now ?? name), row];
      },
    );
    return Object.fromEntries(rows.filter(([name]) => name !== undefined));
  };
  const expected: Matrix = Object.fromEntries(surfaces.map((surface) => [surface, rename(surface)]));
  // What control did for the gateway's token, the owner's page may do, and nobody else.
  const ofOwner = { nobody: "closed 4401", guest: "forbidden", owner: "allowed" };
  for (const now of Object.values(renamed.control ?? {}))
    if (expected.socket !== undefined && !Object.hasOwn(added, now)) expected.socket[now] ??= ofOwner;
  for (const { surface, name, who, now } of differences) {
    const rows = expected[surface];
    if (rows !== undefined && now === "gone") delete rows[name];
    else if (rows !== undefined) rows[name] = { ...rows[name], [who]: now };
  }
  return expected;
}

/** A row is a line. */
function format({ matrix, ...head }: Fixture): string {
  const surfaces = Object.entries(matrix).map(([surface, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, row]) => `      ${JSON.stringify(name)}: ${JSON.stringify(row)}`,
    );
    return `    ${JSON.stringify(surface)}: {\n${lines.join(",\n")}\n    }`;
  });
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "matrix": {\n${surfaces.join(",\n")}\n  }\n}\n`;
}

const expectSame = (ours: Iterable<string>, theirs: Iterable<string>) =>
  expect([...new Set(ours)].sort()).toEqual([...new Set(theirs)].sort());

describe("everyone may do what they could in 0.1.0, and nothing else", () => {
  // That each method has a row is known to the compiler.
  it("over the socket", () => expectMatrix(askSocket));

  it("over HTTP", async () => {
    await expectMatrix(askHttp);
    // Middleware, and the files of the page where it was built.
    const routes = scene.routes.filter((route) => !route.endsWith("*"));
    expectSame(
      httpRows.map(({ route }) => route),
      routes,
    );
  });

  it("by slash commands", async () => {
    await expectMatrix(askCommands);
    expectSame(
      Object.keys(commandRows),
      slashCommands.map(({ name }) => name),
    );
  });

  it("by tools", async () => {
    await expectMatrix(askTools);
    const offered = await scene.gateway.app.toolDefinitions();
    expectSame(
      toolRows.map(([tool]) => tool),
      offered.map(({ name }) => name),
    );
  });
});
