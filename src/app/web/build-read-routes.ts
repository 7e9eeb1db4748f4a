// What a page reads over HTTP instead of the socket, a row for each topic.
import type { AddReadRoutes } from "../../server/web-routes.ts";
import type { WebParts } from "./build-web-methods.ts";

export function buildReadRoutes(_parts: WebParts): AddReadRoutes {
  const rows: AddReadRoutes[] = [];
  return (app, viewer) => {
    for (const add of rows) add(app, viewer);
  };
}
