// What embedders and custom tools and channels import: the assistant as a library, and the parts of it that they may extend or use
// on their own. Everything else in this package is internal.

/** The zod that `defineTool` works with. */
export * as z from "zod";
export type { TurnOutcome } from "./agent/job.ts";
export { type DirectRequest, terminalOrigin } from "./agent/job.ts";
export type { CallOptions } from "./api/client.ts";
export type { OperationName, ParamsOf, ResultOf } from "./api/index.ts";
export { type App, type AppOptions, type BuildResult, buildApp } from "./app/build-app.ts";
export type { Answer, Approval, Question } from "./bus/ask.ts";
export {
  type Channel,
  type ChannelInbox,
  ChannelSetupError,
  type ChannelUpdate,
  SendError,
} from "./bus/channel.ts";
export type { LiveBody } from "./bus/live.ts";
export type { InboundMessage, NewInbound, Origin, OutboundPart } from "./bus/types.ts";
export { type ChannelContext, type ChannelKind, defineChannel } from "./channels/channel-kind.ts";
export { ContextBuilder, type ContextBuilderOptions, type CurrentMessage } from "./context/builder.ts";
export type { ContextExtensions } from "./context/create-context.ts";
export type { ContextDiff, ContextRow, Inspection } from "./context/inspection.ts";
export { createBootstrapLayer, defaultBootstrapFiles } from "./context/layers/bootstrap.ts";
export { createIdentityLayer, type Runtime } from "./context/layers/identity.ts";
export type { Layer, LayerInput, PromptFileVersion, RenderedLayer } from "./context/layers/layer.ts";
export { PromptFiles } from "./context/layers/layer.ts";
export { createMemoryLayer, createRecentHistoryLayer } from "./context/layers/memory.ts";
export { createActiveSkillsLayer, createSkillsSummaryLayer } from "./context/layers/skills.ts";
export type { Phrase } from "./i18n/phrase.ts";
export { UserError } from "./i18n/user-error.ts";
export { createWords, detectLanguage, say } from "./i18n/words.ts";
export { estimateTokens } from "./lib/tokens.ts";
export { type CodeScript, createScripted, type ScriptedProvider } from "./llm/scripted.ts";
export type {
  AssistantMessage,
  ContentPart,
  Message,
  ModelEvent,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderError,
  ToolCall,
  ToolDefinition,
} from "./llm/types.ts";
export { defineTool, type ToolSpecification } from "./runner/define-tool.ts";
export { type Effect, type Tool, type ToolContext, ToolError, type ToolResult } from "./runner/tool.ts";
export {
  createNanobot,
  type Nanobot,
  NanobotError,
  type NanobotOptions,
} from "./sdk/create-nanobot.ts";
export type { Memory, MemorySearch } from "./sdk/memory.ts";
export type { AskOwner, RunEvent, RunOptions, RunResult } from "./sdk/run.ts";
export { addAssistantMessage, addToolResult } from "./sdk/run.ts";
export type { SessionRecord, Sessions } from "./sdk/sessions.ts";
export { SkillsLoader, type SkillsLoaderOptions } from "./skills/loader.ts";
export { type HomePaths, resolveHome } from "./storage/home.ts";
export { defineLayer, type LayerMessage, type RuntimeLayer } from "./tools/runtime-layer.ts";
