// Preloaded into a program under test: it dies, as by -9, right after one of its durable writes.
// DIE_AFTER_FILE: a pattern for what was written to a file; DIE_AFTER_COMMIT: one for the statements of a transaction.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

const { DIE_AFTER_FILE: inFile, DIE_AFTER_COMMIT: inCommit } = process.env;

function dieIf(pattern, text) {
  if (pattern && new RegExp(pattern).test(text)) process.kill(process.pid, "SIGKILL");
}

const { writeSync } = fs;
fs.writeSync = (file, data, ...rest) => {
  const written = writeSync(file, data, ...rest);
  dieIf(inFile, String(data));
  return written;
};
const probe = await fs.promises.open(import.meta.filename);
const FileHandle = Object.getPrototypeOf(probe);
await probe.close();
const { writeFile } = FileHandle;
FileHandle.writeFile = async function (data, ...rest) {
  await writeFile.call(this, data, ...rest);
  dieIf(inFile, String(data));
};
syncBuiltinESMExports();

let statements = "";
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (...values) {
  statements += `${this.sourceSQL};`;
  return run.call(this, ...values);
};
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (sql === "COMMIT") dieIf(inCommit, statements);
  if (/^(BEGIN|COMMIT|ROLLBACK)\b/.test(sql)) statements = "";
};
