// What a page reads over HTTP instead of the socket, a row for each topic.
import { ApiError } from "../../server/api-error.ts";
import { createMediaRoute } from "../../server/media-route.ts";
import type { AddReadRoutes } from "../../server/web-routes.ts";
import { toSnapshotParts, type WebParts } from "./build-web-methods.ts";
import { readConfigSnapshot } from "./config-snapshot.ts";

export function buildReadRoutes(parts: WebParts): AddReadRoutes {
  const { paths, app: assistant, operations } = parts;
  const { workspace } = assistant;
  const { conversations } = operations.chat;
  const rows = [addConfigRoute(parts), createMediaRoute({ paths, workspace, conversations })];
  return (app, viewer) => {
    for (const add of rows) add(app, viewer);
  };
}

/** The same as `config.read`, for whoever has no socket. */
function addConfigRoute(parts: WebParts): AddReadRoutes {
  return (app, viewer) => {
    app.get("/api/config", async (context) => {
      const { role } = await viewer(context);
      if (role !== "owner") throw new ApiError("Only the owner may see this.", { status: 403 });
      return context.json(await readConfigSnapshot(toSnapshotParts(parts)));
    });
  };
}
