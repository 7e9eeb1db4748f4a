// A list in a box with a heading: its first rows, and the others when they are wanted.
import { type ReactNode, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";

export interface ListCardProps<Item> {
  title?: string;
  about?: string;
  items: readonly Item[];
  /** How many are shown at first. */
  first?: number;
  /** Stands where there is nothing. */
  empty?: ReactNode;
  className?: string;
  /** A row. */
  children(item: Item): ReactNode;
}

export function ListCard<Item>(props: ListCardProps<Item>) {
  const { title, about, items, first = 50, empty, className = "", children } = props;
  const words = useWords().shell;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, first);
  return (
    <Card className={className}>
      {title && (
        <div className="border-b border-line px-5 py-3">
          <h2 className="font-semibold">{title}</h2>
          {about && <p className="text-small text-muted">{about}</p>}
        </div>
      )}
      {shown.length === 0 ? empty : <ul className="divide-y divide-line">{shown.map(children)}</ul>}
      {items.length > shown.length && (
        <div className="border-t border-line p-2 text-center">
          <Button tone="quiet" size="small" onClick={() => setIsWhole(true)}>
            {words.showAll(items.length)}
          </Button>
        </div>
      )}
    </Card>
  );
}
