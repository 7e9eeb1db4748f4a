// What embedders import: the assistant as a library. Everything else in this package is internal.
export { type App, type AppOptions, type BuildResult, buildApp } from "./app/build-app.ts";
