import { expect, test } from "vitest";
import { DoneRequests } from "./done-requests.ts";
import type { ResponseFrame } from "./protocol.ts";

function createWork() {
  const work = { times: 0, result: "" };
  const run = async (): Promise<ResponseFrame> => {
    work.times += 1;
    return { type: "response", id: "x", ok: true, result: work.result };
  };
  return { work, run };
}

test("the latest two thousand answers are remembered, those of others beside them", async () => {
  const done = new DoneRequests();
  const { work, run } = createWork();
  for (let id = 0; id < 2_001; id++) await done.once("owner", String(id), run);
  await done.once("anna", "2000", run);
  expect(work.times).toBe(2_002);
  await done.once("owner", "2000", run);
  await done.once("owner", "2", run);
  expect(work.times).toBe(2_002);
  await done.once("owner", "0", run);
  expect(work.times).toBe(2_003);
});

test("an answer that is large is not kept: it was read, and is read again", async () => {
  const done = new DoneRequests();
  const { work, run } = createWork();
  work.result = "语".repeat(20_000);
  await done.once("owner", "1", run);
  await done.once("owner", "1", run);
  expect(work.times).toBe(2);
});

test("work that broke is not remembered", async () => {
  const done = new DoneRequests();
  const { run } = createWork();
  await expect(done.once("owner", "1", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await done.once("owner", "1", run)).toContain('"ok":true');
});
