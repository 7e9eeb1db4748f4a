// The frame: navigation, banner, the page of the address, and what lies above all pages.
import { Compass } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../components/button.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../components/states.tsx";
import { useStore } from "../wire/wire-context.tsx";
import { useWords } from "../words/use-words.ts";
import { Door, useDoor } from "./doors.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { LinkBanner } from "./link-banner.tsx";
import { MenuDialog } from "./menu-dialog.tsx";
import { BottomBar, Rail } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { navigate, toPath, usePlace } from "./router.tsx";
import { type Route, routes } from "./routes.ts";
import { ShortcutsDialog, shortcuts, useShortcut } from "./shortcuts.tsx";

type Overlay = "menu" | "palette" | "shortcuts";

export function App() {
  const words = useWords().shell;
  const { page } = usePlace();
  const current = page === "" ? "chat" : page;
  const door = useDoor();
  const isOwner = useStore((state) => state.viewer?.role !== "guest");
  const [overlay, setOverlay] = useState<Overlay>();
  const visible = routes.filter(({ isForGuests }) => isOwner || isForGuests);
  useShortcut(shortcuts.palette, () => setOverlay("palette"));
  useShortcut(shortcuts.help, () => setOverlay("shortcuts"));
  useShortcut(shortcuts.newChat, () => navigate(toPath("chat")));
  if (door !== undefined) return <Door name={door} />;
  const navigation = { routes: visible, current, onMenu: () => setOverlay("menu") };
  const close = () => setOverlay(undefined);
  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        onClick={() => document.getElementById("content")?.focus()}
        className="sr-only focus:not-sr-only focus:p-2"
      >
        {words.skip}
      </button>
      <LinkBanner />
      <div className="flex min-h-0 flex-1">
        <Rail {...navigation} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <PageView route={visible.find((route) => route.page === current)} key={current} />
        </main>
      </div>
      <BottomBar {...navigation} />
      <MenuDialog
        routes={visible}
        isOpen={overlay === "menu"}
        onClose={close}
        onShortcuts={() => setOverlay("shortcuts")}
      />
      <Palette routes={visible} isOpen={overlay === "palette"} onClose={close} />
      <ShortcutsDialog isOpen={overlay === "shortcuts"} onClose={close} />
    </div>
  );
}

function PageView({ route }: { route: Route | undefined }) {
  const words = useWords().shell;
  if (route === undefined)
    return (
      <EmptyState
        icon={Compass}
        title={words.notFound}
        action={<Button onClick={() => navigate(toPath("chat"))}>{words.toChat}</Button>}
      />
    );
  const View = route.view;
  return (
    <ErrorBoundary
      fallback={(error, retry) => (
        <ErrorState message={`${words.pageFailed} (${error.message})`} onRetry={retry} />
      )}
    >
      <Suspense
        fallback={
          <div className="mx-auto max-w-3xl p-8">
            <SkeletonLines count={6} />
          </div>
        }
      >
        <View />
      </Suspense>
    </ErrorBoundary>
  );
}
