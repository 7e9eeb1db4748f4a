// What custom tools and channels get for `nanobot`: of src/index.ts the part that needs nothing of the program. The bundle
// has it as a file of its own, with a zod of its own, so that nobody else has to load all of zod.
export * as z from "zod";
export { ChannelSetupError, SendError } from "../bus/channel.ts";
export { defineChannel } from "../channels/channel-kind.ts";
export { defineTool } from "../runner/define-tool.ts";
export { ToolError } from "../runner/tool.ts";
export { defineLayer } from "./runtime-layer.ts";
