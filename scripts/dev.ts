// Runs the program from its sources, without a build: npm run dev -- agent -m "hello"
import { main } from "../src/cli/main.ts";

await main(process.argv);
