# syntax=docker/dockerfile:1
# One image for every role and for the migration. How to run it: docs/deploy.md.

# The same Node that the tests run on (package.json).
FROM node:24.21.0-trixie-slim AS base
WORKDIR /app

# Builds the web app. Only this stage has the build tools, which are native programs and optional packages.
FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY index.html landing.html vite.config.ts ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.ts

# The demonstration, not for production: everything simulated, with a database of its own (docs/deploy.md).
FROM build AS demo
ENV HOST=0.0.0.0 \
    DATA_DIR=/tmp/smartpause
COPY simulators ./simulators
USER 1000:1000
EXPOSE 3000
ENTRYPOINT ["node", "--max-semi-space-size=32"]
CMD ["scripts/start.ts"]

FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts

# All files belong to root, and SmartPause writes none: the file system may be read-only.
FROM base
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    OPERATIONS_PORT=9464
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/web ./dist/web
COPY src/core ./src/core
COPY src/contract ./src/contract
COPY src/server ./src/server
COPY scripts/arguments.ts scripts/command.ts scripts/development.ts scripts/serve.ts scripts/migrate.ts scripts/admin.ts \
  scripts/export-user.ts scripts/stripe-setup.ts scripts/recover-holds.ts ./scripts/
COPY scripts/recover-holds ./scripts/recover-holds

# The user 'node', by its number, so that Kubernetes sees that it is not root.
USER 1000:1000
EXPOSE 3000 9464
# Whether the process is alive, in every role. A restart would not help if its database is away, which /health/ready tells.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself and not npm, so that signals reach it. Another command: docker run … scripts/migrate.ts
ENTRYPOINT ["node", "--max-semi-space-size=32"]
CMD ["scripts/serve.ts"]
