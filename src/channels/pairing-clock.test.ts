// Codes and the people who ask for them, while the clock is set.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { PairingStore } from "../storage/people/pairing-store.ts";
import { Access } from "./access.ts";

describe("strangers who asked while the clock was ahead", () => {
  it("are told a code again at once when it is set back, and block nobody", async () => {
    const fake = createFakeClock();
    const clock = { ...fake, offset: 86_400_000, now: () => fake.now() + clock.offset };
    const pairing = new PairingStore(join(await createTemporaryFolder(), "pairing.json"), clock);
    const rules = { allowFrom: [], owners: [], groupPolicy: "mention" as const, groupAllowFrom: [] };
    const access = new Access("chat", rules, { pairing, clock });
    const ask = () =>
      access.judge({
        platformId: "1",
        chat: { id: "7", isGroup: false },
        sender: { id: "7" },
        text: "hello",
        isAddressed: true,
      });
    expect(await ask()).toMatchObject({ kind: "pairing" });
    expect(await ask()).toMatchObject({ kind: "ignored" });
    clock.offset = 0;
    expect(await pairing.listPending()).toEqual([]);
    expect(await ask()).toMatchObject({ kind: "pairing" });
    expect(await pairing.listPending()).toHaveLength(1);
  });
});
