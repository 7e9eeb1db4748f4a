// nanobot memory dream, as a person and as a script meet it.
import { join } from "node:path";
import { expect, test } from "vitest";
import { addHistory, memory, putFile, readText } from "./support/dream-app.ts";
import { words } from "./support/english.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome } from "./support/run-program.ts";
import { typeHere } from "./support/type-here.ts";

const edit = { path: memory, old_text: "- old", new_text: "- old\n- The cat is called Luna" };
const answers = [
  { text: "[MEMORY] The cat is called Luna (#1)" },
  { toolCalls: [{ name: "edit_file", arguments: edit }] },
  { text: "done" },
];

async function createHome(config?: (url: string) => Record<string, unknown>) {
  const model = await startFakeModel((_, index) => answers[index] ?? { text: "[SKIP]" });
  const { env, workspace } = await createProgramHome(config?.(model.url));
  await putFile(join(workspace, memory), "- old\n");
  await addHistory(workspace, ["- has a cat named Luna"], createFakeClock());
  const run = (...argv: string[]) => typeHere(["memory", "dream", ...argv], env);
  return { model, workspace, run };
}

test("memory dream changes the files and says so; the next one has nothing to do", async () => {
  const { model, workspace, run } = await createHome((url) => configFor(url));
  const first = await run();
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain(words.dream.changed(1));
  expect(await readText(join(workspace, memory))).toBe("- old\n- The cat is called Luna\n");
  expect(await run("--json")).toMatchObject({ code: 0, stdout: '{"kind":"nothing-new"}\n' });
  expect(model.requests).toHaveLength(3);
});

test("memory dream asks the model of the preset that the config names", async () => {
  const { model, run } = await createHome((url) => {
    const { agents, ...config } = configFor(url) as { agents: { defaults: object } };
    const defaults = { ...agents.defaults, dream: { modelOverride: "thoughtful" } };
    const modelPresets = { thoughtful: { model: "deep-model", provider: "custom" } };
    return { ...config, agents: { defaults }, modelPresets };
  });
  expect(await run()).toMatchObject({ code: 0 });
  expect(model.requests.map((request) => request.model)).toEqual(["deep-model", "deep-model", "deep-model"]);
});

test("memory dream says what is missing: a preset that there is not, or any model at all", async () => {
  const unknown = await createHome((url) => {
    const { agents, ...config } = configFor(url) as { agents: { defaults: object } };
    return { ...config, agents: { defaults: { ...agents.defaults, dream: { modelOverride: "nobody" } } } };
  });
  expect(await unknown.run()).toMatchObject({ code: 1, stderr: expect.stringContaining("modelOverride") });
  expect(unknown.model.requests).toEqual([]);
  const offline = await createHome();
  expect(await offline.run()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(words.dream.noModel),
  });
});
