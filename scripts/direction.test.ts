import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDirectionProblems, opensFiles } from "./direction.ts";
import { mayOpenFiles } from "./file-access.ts";
import { modules, pythonFiles } from "./modules.ts";
import { readSources, toSource } from "./sources.ts";

function problems(path: string, ...lines: string[]): string[] {
  return findDirectionProblems([toSource(path, `${lines.join("\n")}\n`)]);
}

function importing(path: string, target: string): string[] {
  return problems(path, `import { x } from "${target}";`);
}

describe("files of the home", () => {
  test("are opened by storage/ only; types of files are free", () => {
    for (const module of ["node:fs", "node:fs/promises", "node:sqlite"]) {
      expect(importing("src/storage/x.ts", module)).toEqual([]);
      expect(importing("src/agent/x.ts", module)).toHaveLength(1);
      expect(problems("src/agent/x.ts", `import type { Stats } from "${module}";`)).toEqual([]);
      expect(problems("src/agent/x.ts", `const fs = await import("${module}");`)).toHaveLength(1);
    }
    expect(importing("src/guards/files/real-path.ts", "node:fs")).toEqual([]);
  });

  test("are named where others open them, each once, and only while they do", () => {
    const listed = Object.values(mayOpenFiles).flat();
    expect(new Set(listed).size).toBe(listed.length);
    const sources = new Map(
      readSources(join(import.meta.dirname, "..")).map((source) => [source.path, source]),
    );
    const stale = listed.filter((path) => {
      const source = sources.get(path);
      return source === undefined || !opensFiles(source);
    });
    expect(stale).toEqual([]);
  });
});

describe("modules", () => {
  test("import downwards and from themselves, with every pair of modules in the other direction refused", () => {
    const free = modules.filter(
      ({ name, only }) => only === undefined && !["index", "channels"].includes(name),
    );
    for (const [above, upper] of free.entries()) {
      expect(importing(`src/${upper.name}/x.ts`, "./y.ts")).toEqual([]);
      for (const lower of free.slice(above + 1)) {
        expect(importing(`src/${upper.name}/x.ts`, `../${lower.name}/y.ts`)).toEqual([]);
        expect(importing(`src/${lower.name}/x.ts`, `../${upper.name}/y.ts`)).toEqual([
          `src/${lower.name}/x.ts: imports upwards, from ${upper.name}/ (src/${upper.name}/y.ts)`,
        ]);
      }
    }
  });

  test("may not import upwards by a type, a re-export or a lazy import either", () => {
    const ways = [
      'import type { X } from "../agent/loop.ts";',
      'export { x } from "../agent/loop.ts";',
      'const x = () => import("../agent/loop.ts");',
      'import "../agent/loop.ts";',
    ];
    for (const way of ways) expect(problems("src/lib/x.ts", way)).toHaveLength(1);
  });

  test("are declared: a new folder below src/ is refused until it is in the list", () => {
    expect(problems("src/utils/x.ts", "export const x = 1;")[0]).toMatch(/"utils" is not a module/);
  });

  test("do not reach outside src/", () => {
    expect(importing("src/lib/x.ts", "../../test/support/y.ts")[0]).toMatch(/outside the modules/);
  });

  test("may be tested with parts of any other module", () => {
    expect(importing("src/lib/x.test.ts", "../agent/loop.ts")).toEqual([]);
  });

  test.each(["agent", "tools", "lib"])("below api/ never see the composed config: %s", (module) => {
    expect(importing(`src/${module}/x.ts`, "../config/schema.ts")[0]).toMatch(/imports upwards, from config/);
  });
});

describe("session files", () => {
  test.each(["session.ts", "session-name.ts", "session-file.ts", "format/line.ts", "transcript.ts"])(
    "are known to storage/ only, elsewhere by types: %s",
    (file) => {
      const path = `../storage/sessions/${file}`;
      expect(importing("src/agent/x.ts", path)[0]).toMatch(/only storage\/ knows how a session is stored/);
      expect(problems("src/agent/x.ts", `const x = () => import("${path}");`)).toHaveLength(1);
      expect(problems("src/agent/x.ts", `import type { X } from "${path}";`)).toEqual([]);
      expect(importing("src/storage/search/x.ts", `../sessions/${file}`)).toEqual([]);
    },
  );

  test("are reached by the manager", () => {
    expect(importing("src/agent/x.ts", "../storage/sessions/session-manager.ts")).toEqual([]);
  });
});

describe("what only the Python original has", () => {
  const refused = /only the start and the readers of old formats know the Python original/;

  test("is known to the start and to the readers of old formats", () => {
    expect(importing("src/config/moving-in.ts", "../storage/python/x.ts")).toEqual([]);
    expect(importing("src/storage/sessions/format/line.ts", "../../python/x.ts")).toEqual([]);
    expect(importing("src/storage/python/x.ts", "./y.ts")).toEqual([]);
  });

  test.each(["src/agent/x.ts", "src/api/chat/x.ts", "src/config/x.ts", "src/storage/sessions/x.ts"])(
    "is known to nobody else, not by a type either: %s",
    (from) => {
      const target = `${"../".repeat(from.split("/").length - 1)}src/storage/python/y.ts`;
      expect(importing(from, target)[0]).toMatch(refused);
      expect(problems(from, `import type { X } from "${target}";`)[0]).toMatch(refused);
    },
  );

  test("has importers that exist", () => {
    for (const path of pythonFiles.importers) expect(existsSync(path)).toBe(true);
  });
});

describe("the browser", () => {
  test("sees the types of the wire and its own files", () => {
    const wire = 'import type { Shown } from "../../../src/api/chat/wire.ts";';
    expect(problems("web/src/store/x.ts", wire, 'import { y } from "./y.ts";')).toEqual([]);
  });

  test.each([
    'import { closeCodes } from "../../../src/server/protocol.ts";',
    'import type { AskRequest } from "../../../src/bus/ask.ts";',
    'const x = () => import("../../../src/server/protocol.ts");',
  ])("sees nothing else of src: %s", (line) => {
    expect(problems("web/src/store/x.ts", line)[0]).toMatch(
      /web\/ sees only coded sentences, session keys and types/,
    );
  });
});

describe("channels and schedule", () => {
  test.each(["channels", "schedule"])("%s/ sees storage, bus, i18n and lib", (module) => {
    expect(importing(`src/${module}/x.ts`, "../bus/types.ts")).toEqual([]);
    expect(importing(`src/${module}/x.ts`, "../i18n/phrase.ts")).toEqual([]);
    expect(importing(`src/${module}/x.ts`, "../lib/clock.ts")).toEqual([]);
  });

  test.each(["runner", "llm"])("do not see %s/, though it lies below them", (module) => {
    for (const viewer of ["channels", "schedule"]) {
      expect(importing(`src/${viewer}/x.ts`, `../${module}/y.ts`)).toEqual([
        `src/${viewer}/x.ts: ${viewer}/ sees only storage and bus and i18n and lib, not ${module}/`,
      ]);
    }
  });

  test("schedule/ does not see channels/", () => {
    expect(importing("src/schedule/x.ts", "../channels/manager.ts")[0]).toMatch(
      /sees only storage and bus and i18n and lib/,
    );
  });
});

describe("one channel and another", () => {
  test.each([
    ["src/channels/a.ts", "./b.ts"],
    ["src/channels/a.ts", "./b/send.ts"],
    ["src/channels/a/receive.ts", "../b.ts"],
    ["src/channels/a/receive.ts", "../b/send.ts"],
    ["src/channels/manager.ts", "./a.ts"],
  ])("%s may not import %s", (path, target) => {
    expect(importing(path, target)[0]).toMatch(/one channel never sees another/);
  });

  test.each([
    ["src/channels/a/receive.ts", "./send.ts"],
    ["src/channels/a.ts", "./a/send.ts"],
    ["src/channels/a.ts", "./manager.ts"],
    ["src/channels/a/receive.ts", "../config.ts"],
    ["src/channels/index.ts", "./a.ts"],
    ["src/channels/index.ts", "./b/send.ts"],
    ["src/app/x.ts", "../channels/index.ts"],
    ["src/app/x.ts", "../channels/manager.ts"],
  ])("%s may import %s", (path, target) => {
    expect(importing(path, target)).toEqual([]);
  });

  test("no other module names a channel", () => {
    expect(importing("src/app/x.ts", "../channels/telegram.ts")[0]).toMatch(/names a channel/);
  });
});

describe("a module's config.ts", () => {
  test.each(["node:fs", "../lib/text.ts", "./other.ts"])("imports only zod, not %s", (target) => {
    expect(importing("src/llm/config.ts", target)[0]).toMatch(/imports only zod/);
  });

  test("differs from a file of the config module and from a deeper file of that name", () => {
    expect(importing("src/config/config.ts", "../llm/config.ts")).toEqual([]);
    expect(importing("src/channels/a/config.ts", "./send.ts")).toEqual([]);
  });
});

describe("zod", () => {
  test.each([
    'import { z } from "zod";',
    'import z from "zod";',
    'import { z as zod, type ZodType } from "zod/v4";',
    'import * as zod from "zod";',
    'const z = await import("zod");',
    'export * from "zod";',
  ])("is refused in the form %s", (line) => {
    expect(problems("src/tools/x.ts", line)[0]).toMatch(/bundle all of zod/);
  });

  test("is welcome as a namespace called z, and other packages in any form", () => {
    expect(problems("src/tools/x.ts", 'import * as z from "zod";')).toEqual([]);
    expect(problems("src/tools/x.ts", 'import type * as z from "zod";')).toEqual([]);
    expect(problems("src/tools/x.ts", 'import { zodiac } from "zodiac";')).toEqual([]);
  });
});

describe("what a bundle would break", () => {
  test.each(["url", "dirname", "resolve('./x')"])(
    "import.meta.%s is refused outside lib/package-root.ts",
    (use) => {
      const line = `const here = import.meta.${use};`;
      expect(problems("src/tools/x.ts", line)[0]).toMatch(/import\.meta moves in a bundle/);
      expect(problems("src/lib/package-root.ts", line)).toEqual([]);
    },
  );

  test.each(["import(name)", "import(`./$" + "{name}.ts`)"])("a computed %s is refused", (use) => {
    expect(problems("src/tools/x.ts", `const x = await ${use};`)[0]).toMatch(/computed name/);
  });

  test("is not seen in a comment, in a string, or in a method of that name", () => {
    const lines = ["// import.meta.url, import(name)", 'const x = "import.meta.url";', "store.import(name);"];
    expect(problems("src/tools/x.ts", ...lines)).toEqual([]);
  });
});
