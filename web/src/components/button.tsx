// Buttons: with a text, or with an icon and a label for screen readers and tooltips.
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

const tones = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  plain: "border border-line bg-surface text-ink hover:bg-raised",
  quiet: "text-muted hover:bg-raised hover:text-ink",
  danger: "border border-line bg-surface text-bad hover:bg-bad-soft",
};

export interface ButtonProps extends ComponentProps<"button"> {
  tone?: keyof typeof tones;
  size?: "normal" | "small";
  icon?: LucideIcon;
  isBusy?: boolean;
}

export function Button(props: ButtonProps) {
  const {
    tone = "plain",
    size = "normal",
    icon: Icon,
    isBusy = false,
    className = "",
    children,
    ...rest
  } = props;
  const room = size === "small" ? "h-8 px-2.5 text-small" : "h-9 px-3.5 text-small";
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled` while busy: a disabled button loses the focus.
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55 ${room} ${tones[tone]} ${className}`}
    >
      {Icon && <Icon aria-hidden className={`size-4 shrink-0 ${isBusy ? "animate-pulse-soft" : ""}`} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  label: string;
  icon: LucideIcon;
  tone?: keyof typeof tones;
}

export function IconButton({ label, icon: Icon, tone = "quiet", className = "", ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-control transition-colors disabled:cursor-not-allowed disabled:opacity-55 ${tones[tone]} ${className}`}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
