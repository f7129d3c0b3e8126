# The gateway: `docker build --target gateway -t talkbridge .`
#   docker run -p 8080:8080 -v talkbridge:/data -v ./gateway.yaml:/etc/talkbridge/gateway.yaml:ro --stop-timeout 40 talkbridge
# compose.yaml runs two of them over PostgreSQL and Redis.
# /data keeps the store (with PostgreSQL, only audio on its way) and, unless TALKBRIDGE_SECRET_KEY is given, the key of the
# secrets in it: replicas must all be given the same one. A read-only container
# (--read-only) is enough: nothing else is written. A stop may take `server.shutdown_grace`, 35 s: Docker waits for 10 s only,
# unless told otherwise. Check a configuration: docker run --rm -v … talkbridge config check

FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev

FROM node:26-slim AS gateway
ENV NODE_ENV=production \
    TALKBRIDGE_CONFIG=/etc/talkbridge/gateway.yaml \
    TALKBRIDGE_SERVER__HOST=0.0.0.0 \
    TALKBRIDGE_SERVER__PORT=8080 \
    TALKBRIDGE_STORE__PATH=/data/talkbridge.db
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# Alive, not ready: a gateway that is not ready must not be killed for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TALKBRIDGE_SERVER__PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm between: the process gets SIGTERM itself.
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
