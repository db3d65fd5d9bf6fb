# The site, its API and the admin in one image: docs/containers.md.
# Any image with this Node on Debian, Ubuntu or another glibc: another registry's, or one of one's own.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim

# Packages first, so that a change of the code does not fetch them again.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The rest removes what only the build or Netlify needs, and source maps.
RUN npm ci --omit=dev --no-audit --no-fund \
  && npm uninstall --omit=dev --no-save --no-audit --no-fund astro @astrojs/mdx @astrojs/react @astrojs/rss \
    @astrojs/sitemap react react-dom @tanstack/react-query @netlify/blobs @netlify/functions \
  && find node_modules -name '*.map' -delete \
  && npm cache clean --force

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Canonical addresses and the sitemap carry the first; the others are for sample content (docs/owner.md).
ARG SITE_URL
ARG CONTEXT
ARG ALLOW_SAMPLE_CONTENT
RUN SITE_URL="${SITE_URL}" CONTEXT="${CONTEXT}" ALLOW_SAMPLE_CONTENT="${ALLOW_SAMPLE_CONTENT}" npm run build

FROM ${NODE_IMAGE}
WORKDIR /app
# What `npm run serve` sets for less memory, and its flags below: docs/performance.md.
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4321 DATA_DIR=/data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/src src
COPY --from=build /app/.build .build
COPY --from=build /app/dist dist
# The only place that is written to. A numeric user: the base need not have one of a certain name.
RUN mkdir --mode=700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "require('node:http').get('http://127.0.0.1:' + process.env.PORT + '/api/health', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Not through npm: the process gets signals itself, and there is one less.
CMD ["node", "--import=./src/server/db/drizzle-imports.ts", "--max-semi-space-size=2", "--max-old-space-size=192", "src/host/serve.ts"]
