// The frame of the page: navigation, banner, the page of the address, and the dialogs above all pages.
import { Compass } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { EmptyState, ErrorBoundary, ErrorState, SkeletonLines } from "../components/states.tsx";
import { useQuery, useStore } from "../wire/hooks.tsx";
import { Attention } from "./attention.tsx";
import { BottomBar, MenuDialog, Rail } from "./navigation.tsx";
import { LinkBanner } from "./notices.tsx";
import { Palette } from "./palette.tsx";
import { useWords } from "./preferences.tsx";
import { navigate, toPath, usePlace } from "./router.tsx";
import { guestPages, type Route, routes, startViews } from "./routes.ts";
import { ShortcutsDialog, shortcuts, useShortcut } from "./shortcuts.tsx";
import { showToast } from "./toasts.tsx";

type Overlay = "menu" | "palette" | "shortcuts";

export function App() {
  const words = useWords().shell;
  const { page } = usePlace();
  const current = page === "" ? "chat" : page;
  const start = useStartPage();
  const isOwner = useStore((state) => state.viewer?.role !== "guest");
  const [overlay, setOverlay] = useState<Overlay>();
  const visible = routes.filter((route) => isOwner || guestPages.includes(route.page));
  useShortcut(shortcuts.palette, () => setOverlay("palette"));
  useShortcut(shortcuts.help, () => setOverlay("shortcuts"));
  useShortcut(shortcuts.newChat, () => navigate(toPath("chat")));
  if (start !== undefined) return <StartPage name={start} />;
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
      <Attention />
      {overlay === "menu" && (
        <MenuDialog routes={visible} onClose={close} onShortcuts={() => setOverlay("shortcuts")} />
      )}
      {overlay === "palette" && <Palette routes={visible} onClose={close} />}
      {overlay === "shortcuts" && <ShortcutsDialog onClose={close} />}
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
  const loading = (
    <div className="mx-auto max-w-3xl p-8">
      <SkeletonLines count={6} />
    </div>
  );
  return (
    <ErrorBoundary
      fallback={(error, retry) => (
        <ErrorState message={`${words.pageFailed} (${error.message})`} onRetry={retry} />
      )}
    >
      <Suspense fallback={loading}>
        <View />
      </Suspense>
    </ErrorBoundary>
  );
}

/** What is shown instead of the pages: signing in, or the first start. */
function useStartPage(): keyof typeof startViews | undefined {
  const isSignedOut = useStore((state) => state.link === "signed-out");
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const { data } = useQuery("models.state", {}, { topic: "config", isEnabled: isOwner });
  useOtherPersonToast();
  if (isSignedOut) return "sign-in";
  return isOwner && data?.isFirstRun === true ? "welcome" : undefined;
}

/** Says why a guest's link did nothing where the browser is signed in. */
function useOtherPersonToast(): void {
  const words = useWords().shell;
  const isOther = useStore((state) => state.refusal === "other");
  useEffect(() => {
    if (isOther) showToast({ text: words.otherPerson, tone: "bad", ms: 15_000 });
  }, [isOther, words]);
}

/** While the code of a start page is loaded. */
function Opening() {
  return (
    <div aria-busy className="grid h-full place-items-center bg-side">
      <img src="/icon.svg" alt="" className="size-14 animate-pulse-soft" />
    </div>
  );
}

function StartPage({ name }: { name: keyof typeof startViews }) {
  const View = startViews[name];
  return (
    <div className="flex h-full flex-col">
      {name !== "sign-in" && <LinkBanner />}
      <div className="min-h-0 flex-1">
        <Suspense fallback={<Opening />}>
          <View />
        </Suspense>
      </div>
    </div>
  );
}
