// Puts the page together: the store, the connection to the gateway, the app.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { ProgressLine, QuestionDialog } from "./app/notices.tsx";
import { PreferencesProvider } from "./app/preferences.tsx";
import { Toasts } from "./app/toasts.tsx";
import { createStore } from "./store/store.ts";
import "./theme.css";
import { createBrowserConnection, enterByAddress } from "./wire/browser-connection.ts";
import { WireProvider } from "./wire/hooks.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
const store = createStore();
const connection = createBrowserConnection(store);

createRoot(root).render(
  <StrictMode>
    <WireProvider value={{ store, connection }}>
      <PreferencesProvider>
        <App />
        <QuestionDialog />
        <ProgressLine />
        <Toasts />
      </PreferencesProvider>
    </WireProvider>
  </StrictMode>,
);

const entry = await enterByAddress();
if (entry !== undefined && entry !== "in") store.dispatch({ type: "refused", refusal: entry });
void connection.connect();
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js");
