// biome-ignore-all lint/style/noDefaultExport: what Astro's files are
declare module '*.astro' {
  const Component: import('astro/runtime/server/index.js').AstroComponentFactory

  export default Component
}
