// Runs before each test file: properties are tried with the same values on every machine.
import fc from "fast-check";
import { seed } from "./seed.ts";

fc.configureGlobal({ seed });
