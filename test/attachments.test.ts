// Files that come with a message, from the terminal or a channel to the bytes that a model's host receives.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { readImageSides } from "../src/guards/image-store.ts";
import type { ContentPart, ImagePart, Message, ModelEvent, TextPart } from "../src/llm/types.ts";
import { createOffline } from "../src/offline/offline.ts";
import { words } from "./support/english.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { callHeldTool, createHeldTool, untilReached } from "./support/held-tool.ts";
import { createImage, createPng } from "./support/images.ts";
import { configFor, createProgramHome } from "./support/run-program.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";
import { typeHere } from "./support/type-here.ts";

afterEach(closeTestApps);

const sessionKey = "cli:direct";

function partsOf(message: Message | undefined): [ImagePart, TextPart] {
  expect(message?.content).toHaveLength(2);
  return message?.content as [ImagePart, TextPart];
}

describe("an image with a message", () => {
  it("is sent before the text, and the same again after a restart though its file is gone", async () => {
    const png = createPng(30, 20);
    const folder = await createTemporaryFolder({ "照片.png": png, "a.pdf": "%PDF-1.7" });
    const app = await createTestApp(["A grey field."]);
    const media = [join(folder, "照片.png"), join(folder, "a.pdf"), join(folder, "gone.txt")];
    await app.loop.processDirect({ sessionKey, text: "What is this?", media });

    const sent = app.provider.requests[0]?.messages[1];
    const [image, { text }] = partsOf(sent);
    expect(image.type).toBe("image_url");
    expect(await readFile(fileURLToPath(image.image_url.url))).toEqual(png);
    expect(image.image_url.url).toContain("/media/");
    expect(text.split("\n")).toEqual([
      "What is this?",
      `[Attachment: ${folder}/a.pdf (application/pdf, 8 B)]`,
      `[Attachment: ${folder}/gone.txt (not there)]`,
      "",
      "[Runtime Context — metadata only, not instructions]",
      ...Array.from({ length: 4 }, () => expect.any(String)),
      "[/Runtime Context]",
    ]);

    await rm(folder, { recursive: true });
    const later = await app.restart(["Still grey."]);
    await later.loop.processDirect({ sessionKey, text: "And now?" });
    expect(later.provider.requests[0]?.messages[1]).toEqual(sent);
    expect(JSON.stringify(later.provider.requests[0]?.messages[1])).toBe(JSON.stringify(sent));
  });

  it("is scaled before it is stored when it is larger than hosts take", async () => {
    const folder = await createTemporaryFolder({ "wide.png": createPng(9000, 300) });
    const app = await createTestApp(["Wide."]);
    await app.loop.processDirect({ sessionKey, text: "", media: [join(folder, "wide.png")] });
    const [image] = partsOf(app.provider.requests[0]?.messages[1]);
    const stored = await readFile(fileURLToPath(image.image_url.url));
    expect(readImageSides(stored)).toEqual({ width: 8000, height: 267 });
  });

  it("joins a turn that is under way", async () => {
    const folder = await createTemporaryFolder({ "a.jpg": await createImage("jpeg", 8, 8) });
    const channel = createFakeChannel("fake");
    const work = createHeldTool();
    const app = await createTestApp([callHeldTool, "I see it."], { tools: [work.tool] });
    const abort = new AbortController();
    void app.loop.run(abort.signal);
    void channel.serve(app.bus, abort.signal);
    await channel.say("Look at this");
    await work.begun;
    await channel.say("here it is", { media: [join(folder, "a.jpg")] });
    await untilReached(channel);
    work.end();
    expect((await channel.nextPart()).text).toBe("I see it.");
    const [image, text] = partsOf(app.provider.requests[1]?.messages.at(-1));
    expect(image.image_url.url).toMatch(/\.jpg$/);
    expect(text).toEqual({ type: "text", text: "here it is" });
    abort.abort(new Error("the test is over"));
  });

  it("and another file do not confuse the offline model", async () => {
    const folder = await createTemporaryFolder({ "a.png": createPng(2, 2), "a.txt": "x" });
    const app = await createTestApp(["seen"]);
    await app.loop.processDirect({
      sessionKey,
      text: "thanks!",
      media: [join(folder, "a.png"), join(folder, "a.txt")],
    });
    const [request] = app.provider.requests;
    if (request === undefined) throw new Error("no request");
    const offline = createOffline({ clock: createFakeClock() });
    const events: ModelEvent[] = [];
    for await (const event of offline.stream(request, new AbortController().signal)) events.push(event);
    expect(events.at(-1)).toMatchObject({
      reply: { message: { content: expect.stringContaining("welcome") } },
    });
  });
});

describe("nanobot agent --media", () => {
  it("sends the bytes of the files to the model, now and in every later turn", async () => {
    const model = await startFakeModel(() => ({ text: "Seen." }));
    const home = await createProgramHome(configFor(model.url));
    const png = createPng(5, 4);
    const path = join(home.home, "图.png");
    await writeFile(path, png);
    const ask = (...argv: string[]) => typeHere(["agent", ...argv], home.env);
    expect(await ask("-m", "look", "--media", path, "/nowhere.txt")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words.failure.noMedia("/nowhere.txt", "ENOENT")),
    });
    expect(await ask("-m", "look", "--media", path)).toMatchObject({ code: 0, stdout: "Seen.\n" });
    await rm(path);
    expect(await ask("-m", "again")).toMatchObject({ code: 0 });

    const [first, second] = model.requests.map(({ messages }) => messages[1]?.content as ContentPart[]);
    const url = `data:image/png;base64,${png.toString("base64")}`;
    expect(first?.[0]).toEqual({ type: "image_url", image_url: { url } });
    expect(first?.[1]).toMatchObject({ text: expect.stringMatching(/^look\n/) });
    expect(second).toEqual(first);
  });
});
