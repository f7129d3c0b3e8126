# Two images: docs/install.md says how to run them.
#   docker build --target gateway -t talkbridge .            the gateway; also what a build without --target makes
#   docker build --target sandbox -t talkbridge-sandbox .    both backends on a laptop
#
# /data has the store (with PostgreSQL, only audio that is being uploaded). It also has the secret key, unless you set
# TALKBRIDGE_SECRET_KEY; give all replicas the same key. The container writes nothing else, so --read-only works. A stop may
# take 42 s (server.shutdown_delay + server.shutdown_grace + 2 s). Docker waits only 10 s by default: set --stop-timeout.

FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages packages
# The image has its Node, and there is no checkout yet that could be made ready to start.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY config config
COPY README.md ./
COPY docs docs
# Users of the package install what sends traces themselves; the image has it.
RUN npm run build && mkdir /tracing && cp -r node_modules/@opentelemetry /tracing/ && npm prune --omit=dev \
    && rm -r node_modules/@talkbridge

FROM node:26-slim AS app
# SQLite sorts large results in a temporary file. A read-only container has no other place for it.
ENV NODE_ENV=production \
    TMPDIR=/data
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /tracing node_modules
COPY --from=build /build/dist dist
# `talkbridge config schema` takes its descriptions from the comments of config/default.yaml; image.yaml has the image's defaults.
COPY --from=build /build/config config
RUN mkdir /data && chown node:node /data
# The user id of `node`: Kubernetes needs a number to know that it is not root.
USER 1000
VOLUME /data
# No shell and no npm in between, so that the process gets SIGTERM itself.
ENTRYPOINT ["node", "dist/main.js"]

FROM app AS sandbox
ARG VERSION=dev
ARG REVISION=
LABEL org.opencontainers.image.title="Talkbridge sandbox" \
      org.opencontainers.image.description="Both talking-head video services, simulated" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
EXPOSE 4010 4020
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/sandbox/scenarios').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sandbox", "--host", "0.0.0.0", "--data", "/data"]

FROM app AS gateway
ARG VERSION=dev
ARG REVISION=
LABEL org.opencontainers.image.title="Talkbridge" \
      org.opencontainers.image.description="One gateway in front of two talking-head video services" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
EXPOSE 8080
# config/image.yaml ranks below your configuration file, and TALKBRIDGE_… variables above it.
ENTRYPOINT ["node", "dist/main.js", "--defaults", "config/image.yaml", "--config", "/etc/talkbridge/gateway.yaml"]
# /healthz, not /readyz: do not kill a gateway that is only not ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s \
  CMD ["node", "dist/main.js", "--defaults", "config/image.yaml", "--config", "/etc/talkbridge/gateway.yaml", "health"]
CMD ["serve"]
