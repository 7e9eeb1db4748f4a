// Custom tools and channels of a gateway that runs, as a command asks for them.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import type { Asking } from "../../bus/ask.ts";
import { createHttpClient } from "../client.ts";

afterEach(closeTestGateways);

const tool = `export const tool = {
  name: "price",
  description: "A price.",
  parameters: { jsonSchema: {}, parse: (value) => ({ ok: true, value }) },
  execute: async () => ({ content: "4.20" }),
};`;

async function open(folder: "tools" | "channels", files: Record<string, string>) {
  const gateway = await createTestGateway([]);
  await mkdir(join(gateway.home, folder));
  for (const [name, text] of Object.entries(files)) await writeFile(join(gateway.home, folder, name), text);
  const asked: Asking[] = [];
  const answer = (choice: string) => ({
    ask: async (question: Asking) => {
      asked.push(question);
      return choice;
    },
  });
  return { gateway, client: createHttpClient(gateway.address), asked, answer };
}

it("allows a file after a question that names all that is allowed, and takes it back", async () => {
  const { client, asked, answer } = await open("tools", { "price.js": tool });
  const file = { kind: "tools", name: "price" } as const;
  await expect(client.call("extensions.allow", file, answer("no"))).rejects.toMatchObject({
    phrase: { code: "extensions.not-allowed" },
  });
  expect(asked).toMatchObject([
    {
      phrase: { code: "extensions.allow", params: { file: "price.js" } },
      detail: expect.stringMatching(/tools\/price\.js \(\d+\)$/),
    },
  ]);
  expect(await client.call("extensions.list", { kind: "tools" })).toEqual({
    files: [
      {
        file: "price.js",
        state: "new",
        covers: ["price.js"],
        offers: [],
        problem: { code: "extensions.new", params: { of: "tools", subject: "price.js" } },
      },
    ],
  });
  const allowed = await client.call("extensions.allow", file, answer("yes"));
  expect(allowed).toEqual({
    file: "price.js",
    state: "allowed",
    covers: ["price.js"],
    offers: [{ name: "price", description: "A price." }],
  });
  expect(await client.call("extensions.remove", file)).toEqual({ file: "price.js" });
  expect(await client.call("extensions.list", { kind: "tools" })).toMatchObject({
    files: [{ state: "new" }],
  });
});

it("refuses a file that is not there or cannot be allowed, without a question", async () => {
  const { client, asked, answer } = await open("channels", { "board.ts": 'import "lodash";' });
  const allow = (name: string) => client.call("extensions.allow", { kind: "channels", name }, answer("yes"));
  await expect(allow("bord.ts")).rejects.toMatchObject({
    phrase: {
      code: "extensions.unknown",
      params: { of: "channels", name: "bord.ts", nearest: "board.ts" },
    },
  });
  await expect(allow("board")).rejects.toMatchObject({
    phrase: { code: "extensions.package", params: { of: "channels", subject: "lodash" } },
  });
  expect(asked).toEqual([]);
});
