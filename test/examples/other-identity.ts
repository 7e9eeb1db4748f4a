// Another identity: the first layer says who the assistant is, and everything else stays.
import type { ContextExtensions, Layer } from "../../src/index.ts";

const librarian: Layer = {
  name: "identity",
  async render({ workspace }) {
    const text = `# Ada\n\nYou are Ada, a librarian. You answer from the files in \`${workspace}\` and name them.`;
    return { name: "identity", source: "other-identity.ts", text };
  },
};

export const asLibrarian: ContextExtensions = { identity: librarian };
