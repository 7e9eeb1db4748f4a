// The whole config, composed of the modules' slices. Knows no file and adds no defaults.
import * as z from "zod";
import { agentDefaultsSchema } from "../agent/config.ts";
import { channelsSchema, speechSchema, transcriptionSchema } from "../channels/config.ts";
import { dreamSchema } from "../dream/config.ts";
import { budgetSchema, modelDefaultsSchema, modelPresetsSchema, providersSchema } from "../llm/config.ts";
import { mcpServersSchema } from "../mcp/config.ts";
import { memorySchema } from "../recall/config.ts";
import { heartbeatSchema } from "../schedule/config.ts";
import { apiSchema, gatewaySchema } from "../server/config.ts";
import { skillsSchema } from "../skills/config.ts";
import { toolsSchema } from "../tools/config.ts";

const defaultsSchema = z.object({
  ...modelDefaultsSchema.shape,
  ...agentDefaultsSchema.shape,
  dream: dreamSchema.prefault({}).describe("Memory work in quiet hours"),
});

const agentsSchema = z.object({ defaults: defaultsSchema.prefault({}).describe("How the assistant works") });

export const configSchema = z.object({
  agents: agentsSchema.prefault({}).describe("The assistant"),
  modelPresets: modelPresetsSchema.default({}).describe("Model settings by name"),
  providers: providersSchema.default({}).describe("Model hosts by name"),
  tools: toolsSchema
    .extend({ mcpServers: mcpServersSchema.default({}).describe("MCP servers by name") })
    .prefault({})
    .describe("What the assistant can do"),
  skills: skillsSchema.prefault({}).describe("Skills"),
  memory: memorySchema.prefault({}).describe("Memory"),
  channels: channelsSchema.prefault({}).describe("Chat channels by name, and what holds for all of them"),
  transcription: transcriptionSchema.prefault({}).describe("Voice messages"),
  speech: speechSchema.prefault({}).describe("Answers as voice messages"),
  api: apiSchema.prefault({}).describe("The OpenAI-compatible API"),
  gateway: gatewaySchema
    .extend({ heartbeat: heartbeatSchema.prefault({}).describe("Regular checks") })
    .prefault({})
    .describe("The program that runs all the time"),
  budget: budgetSchema.prefault({}).describe("Limits on spending"),
});

export type Config = z.infer<typeof configSchema>;
