import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { channelRows } from "../src/channels/index.ts";
import { channelsPage, renderChannelsPage } from "./channel-table.ts";

test("docs/channels.md has the table that the channels declare (node scripts/channel-table.ts)", async () => {
  const page = readFileSync(channelsPage, "utf8");
  expect(page).toBe(await renderChannelsPage(page));
});

test("every channel has a page", () => {
  const pages = channelRows.map(({ name }) => join(channelsPage, "../channels", `${name}.md`));
  expect(pages.filter((page) => !existsSync(page))).toEqual([]);
});
