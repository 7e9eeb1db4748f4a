// A picture of a page for people to look at, in the folder that PICTURES names; none without it.
import { join } from "node:path";
import type { Page } from "playwright-core";

export async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env;
  if (PICTURES === undefined) return;
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(PICTURES, `${name}-dark.png`) });
  await page.emulateMedia({ colorScheme: "light" });
}
