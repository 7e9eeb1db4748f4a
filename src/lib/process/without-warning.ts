// Runs something without one warning of Node that a user can do nothing about. All others are still printed.

export async function withoutWarning<T>(text: string, run: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes(text)) Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return await run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
