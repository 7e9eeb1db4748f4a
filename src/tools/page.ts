// One page of a long or endless list, and the line that says how to get the next.

export interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** What a page may hold at most. */
export const largestPage = 1000;

/** Stops asking for items once one beyond the page has come. */
export async function takePage<T>(items: AsyncIterable<T>, offset: number, limit: number): Promise<Page<T>> {
  const kept: T[] = [];
  let index = 0;
  for await (const item of items) {
    if (index++ < offset) continue;
    if (kept.length === limit) return { items: kept, hasMore: true };
    kept.push(item);
  }
  return { items: kept, hasMore: false };
}

/** 0 and anything above the largest page stand for the largest page. */
export function toPageLimit(requested: number | undefined, usual: number): number {
  const limit = requested ?? usual;
  return limit === 0 ? largestPage : Math.min(limit, largestPage);
}

/** Empty when there is nothing more to say. */
export function describePage({ items, hasMore }: Page<unknown>, offset: number, noun: string): string {
  const end = offset + items.length;
  if (hasMore) return `\n(${noun} ${offset + 1}-${end}. Use offset=${end} to continue.)`;
  return offset > 0 && items.length > 0 ? `\n(${noun} ${offset + 1}-${end}, the last.)` : "";
}
