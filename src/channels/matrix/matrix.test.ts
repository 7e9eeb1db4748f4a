import { expect, it } from "vitest";
import { startChannel } from "../../../test/support/channel-scene.ts";
import { startFakeMatrix } from "../../../test/support/fake-matrix.ts";
import { matrix } from "./matrix.ts";

it("Matrix: invitations are accepted, threads and replies kept, gaps asked for, and odd events passed over", async () => {
  await using platform = await startFakeMatrix();
  const config = { homeserver: platform.url, accessToken: platform.token };
  const rules = { allowFrom: ["@ann:test"] };
  const scene = await startChannel({ kind: matrix, config, rules });
  await platform.waitFor(() => platform.syncs > 1);
  platform.invitations.add("!new:test");
  platform.say("nothing", { content: 7 });
  platform.say("beep", { content: { msgtype: "m.notice", body: "beep" } });
  platform.say("* fixed", {
    content: {
      msgtype: "m.text",
      body: "* fixed",
      "m.relates_to": { rel_type: "m.replace", event_id: "$x" },
    },
  });
  platform.say("", { type: "m.room.encrypted", content: {} });
  const relation = { "m.relates_to": { rel_type: "m.thread", event_id: "$root" } };
  platform.say("in a thread", { content: { msgtype: "m.text", body: "in a thread", ...relation } });
  const message = await scene.next();
  expect(message).toMatchObject({ text: "in a thread", sessionKey: "matrix:!dm:test:thread:$root" });
  expect(platform.joined).toEqual(["!new:test"]);
  await scene.answer(message, "**yes** & more\nline");
  await platform.waitFor(() => platform.shown("!dm:test").length === 1);
  expect(platform.events.at(-1)?.content).toMatchObject({
    body: "yes & more\nline",
    formatted_body: "<b>yes</b> &amp; more<br>line",
    "m.relates_to": { rel_type: "m.thread", event_id: "$root" },
    "m.mentions": {},
  });
  await scene.stop();
  platform.mostEvents = 2;
  for (const text of ["one", "two", "three", "four"]) platform.say(text);
  const again = await startChannel({ kind: matrix, config, rules, home: scene.home });
  for (const text of ["one", "two", "three", "four"]) expect((await again.next()).text).toBe(text);
  await again.stop();
});
