// Servers that need no reading of manuals: a row each, with what it needs from the environment. Starts nothing.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

interface Surroundings {
  workspace: string;
  env: NodeJS.ProcessEnv;
}

interface Preset {
  /** Environment variables that have to be set: their values stay out of the config. */
  needs: readonly string[];
  toServer(surroundings: Surroundings): Record<string, unknown>;
}

/** As the config names a variable. */
const variable = (name: string) => `\${${name}}`;
const bearer = (name: string) => ({ Authorization: `Bearer ${variable(name)}` });
const npx = (...args: string[]) => ({ command: "npx", args: ["-y", ...args] });

/** Those with an address and no variable are signed in to with `nanobot mcp login`. */
export const presets: Readonly<Record<string, Preset>> = {
  browser: {
    needs: [],
    toServer({ env }) {
      const chromium = findProgram(
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
        env,
      );
      // Chromium refuses to run as root with its own sandbox.
      const isRoot = process.getuid?.() === 0;
      return {
        ...npx(
          "@playwright/mcp",
          "--headless",
          "--isolated",
          ...(chromium === undefined ? [] : ["--executable-path", chromium]),
          ...(isRoot ? ["--no-sandbox"] : []),
        ),
        toolTimeout: 60,
      };
    },
  },
  files: {
    needs: [],
    toServer: ({ workspace }) => npx("@modelcontextprotocol/server-filesystem", workspace),
  },
  github: {
    needs: ["GITHUB_TOKEN"],
    toServer: () => ({ url: "https://api.githubcopilot.com/mcp/", headers: bearer("GITHUB_TOKEN") }),
  },
  notion: { needs: [], toServer: () => ({ url: "https://mcp.notion.com/mcp", auth: "oauth" }) },
  google: {
    needs: ["GOOGLE_OAUTH_CLIENT_ID", "GOOGLE_OAUTH_CLIENT_SECRET"],
    toServer: () => ({
      command: "uvx",
      args: ["workspace-mcp", "--single-user"],
      env: {
        GOOGLE_OAUTH_CLIENT_ID: variable("GOOGLE_OAUTH_CLIENT_ID"),
        GOOGLE_OAUTH_CLIENT_SECRET: variable("GOOGLE_OAUTH_CLIENT_SECRET"),
      },
      toolTimeout: 60,
    }),
  },
  "home-assistant": {
    needs: ["HOME_ASSISTANT_URL", "HOME_ASSISTANT_TOKEN"],
    toServer: () => ({
      url: `${variable("HOME_ASSISTANT_URL")}/api/mcp`,
      headers: bearer("HOME_ASSISTANT_TOKEN"),
    }),
  },
};

function findProgram(names: readonly string[], { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const paths = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return false;
    }
  });
}
