// Durations in the few characters that a line of the terminal has for them.

/** `12 ms`, `1.2 s`, `3m 2s`, `1h 5m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes}m ${Math.floor(ms / 1000) % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
