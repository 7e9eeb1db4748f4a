# nanobot in a small image: built once, then only what runs. The home is a volume; nothing else is written.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev --no-audit

FROM node:24-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 nanobot
COPY --from=build /app/package.json /app/
COPY --from=build /app/bin /app/bin
COPY --from=build /app/dist /app/dist
COPY --from=build /app/skills /app/skills
COPY --from=build /app/templates /app/templates
COPY --from=build /app/node_modules /app/node_modules
RUN ln -s /app/bin/nanobot.mjs /usr/local/bin/nanobot
USER nanobot
# As src/lib/engine-memory.ts has it.
ENV NANOBOT_HOME=/home/nanobot/.nanobot MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
VOLUME /home/nanobot/.nanobot
EXPOSE 18790
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:18790/health').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/nanobot.mjs"]
CMD ["gateway"]
