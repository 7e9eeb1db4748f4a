// A count with its noun in English: `1 file`, `2 files`.
export function plural(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
