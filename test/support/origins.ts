// Who speaks in tests: the owner at the terminal, and others made from it.
export { terminalOrigin } from "../../src/agent/job.ts";
