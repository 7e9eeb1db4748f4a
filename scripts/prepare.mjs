// Runs after npm install. Without the development tools (npm install --omit=dev) there is nothing to build with.
try {
  await import("esbuild");
} catch {
  console.log("nanobot: build tools are not installed, dist/ was not built.");
  process.exit(0);
}
await import("./build.mjs");
