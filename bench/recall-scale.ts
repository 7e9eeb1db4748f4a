// Recall at a million messages, next to a tenth of them: what a search and a turn take, and how fast the index is built.
import { measureSpeed, readSamples, usualFile } from "./recall.ts";

export async function bench([most = "1000000", file = usualFile]: string[]): Promise<void> {
  const samples = await readSamples(file);
  if (samples === undefined) {
    console.error(
      `There is no ${file}. Give a file of LoCoMo's shape: npm run bench -- recall-scale 1000000 <file>`,
    );
    process.exitCode = 1;
    return;
  }
  for (const messages of [Number(most) / 10, Number(most)]) await measureSpeed(samples, messages);
}
