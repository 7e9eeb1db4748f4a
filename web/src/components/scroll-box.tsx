// A box whose content scrolls, also by the keyboard.
import type { ReactNode, Ref } from "react";

export interface ScrollBoxProps {
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function ScrollBox({ label, className = "", ref, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section ref={ref} tabIndex={0} aria-label={label} className={`overflow-auto ${className}`}>
      {children}
    </section>
  );
}
