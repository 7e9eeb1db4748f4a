// Runs after npm install. Without the development tools (npm install --omit=dev) there is nothing to build with.
import { fileURLToPath } from "node:url";
import { isUpToDate } from "./build-folder.mjs";

try {
  await import("esbuild");
} catch {
  console.log("nanobot: build tools are not installed, dist/ was not built.");
  process.exit(0);
}
// npm also runs it for each first `npx nanobot` in a checkout, where usually nothing has changed.
if (isUpToDate(fileURLToPath(new URL("..", import.meta.url)))) console.log("nanobot: dist/ is up to date.");
else await import("./build.mjs");
