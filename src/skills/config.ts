// Config keys of skills: `skills`.
import * as z from "zod";

const name = z.string().min(1);

export const skillsSchema = z.object({
  directories: z.array(name).default([]).describe("Further folders to look for skills in"),
  summaryTokens: z
    .int()
    .min(0)
    .default(4000)
    .describe(
      "Most tokens of the list of skills in the prompt; a window of more than 200,000 tokens holds more in proportion",
    ),
});

export type SkillsConfig = z.infer<typeof skillsSchema>;
