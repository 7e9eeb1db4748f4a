// The mark of tests that are about the wording of a sentence: without our sentences (docs/testing.md) they are skipped.
import { describe, it } from "vitest";
import { hasKeys } from "./english.ts";

export const itSays = it.skipIf(hasKeys);
export const describeWording = describe.skipIf(hasKeys);
