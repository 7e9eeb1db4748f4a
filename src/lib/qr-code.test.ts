// The codes are those that an independent encoder drew, module by module.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createQrCode } from "./qr-code.ts";

it("draws a small code", async () => {
  expect(await createQrCode("hello")).toMatchInlineSnapshot(`
    [
      "#######  # ## #######",
      "#     # ## #  #     #",
      "# ### # ##  # # ### #",
      "# ### #  # #  # ### #",
      "# ### # #   # # ### #",
      "#     # #  ## #     #",
      "####### # # # #######",
      "        #####        ",
      "## #  ## ##   ### ## ",
      " ##### ###    #    ##",
      "  ## #### # ##   ## #",
      "   # #  #  #     # ##",
      "    # ## ## # # #    ",
      "        ####   ## # #",
      "####### ###  # # ### ",
      "#     #  ##### ##    ",
      "# ### #  # #  ###   #",
      "# ### # # ##   # ####",
      "# ### #  ## #   # # #",
      "#     # ###  ##      ",
      "####### # ###  # # # ",
    ]
  `);
});

it.each([
  [17, 21],
  [18, 25],
  [78, 33],
  [134, 41],
  [230, 53],
])("takes %i bytes in %i rows", async (bytes, size) => {
  const code = (await createQrCode("y".repeat(bytes))) ?? [];
  expect([code.length, code[0]?.length]).toEqual([size, size]);
});

it("draws several blocks and the version as it did", async () => {
  const code = (await createQrCode(`https://bot.example.com/#token=${"é".repeat(60)}`)) ?? [];
  expect(createHash("sha256").update(code.join("\n")).digest("hex")).toMatchInlineSnapshot(
    `"9bdc518ab4eede62a2160d391a6ae44681d2e0ca5ead2445e0d148a102ee7132"`,
  );
});

it("says when a text is too long, counted in bytes", async () => {
  expect(await createQrCode("y".repeat(231))).toBeUndefined();
  expect(await createQrCode("é".repeat(116))).toBeUndefined();
});
