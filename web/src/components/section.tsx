// A part of a page: a box with a heading, and beside it what can be done or chosen.
import type { ReactNode } from "react";
import { Card } from "./card.tsx";

export interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <Card className="min-w-0 p-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </Card>
  );
}
