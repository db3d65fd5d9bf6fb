import type { AstroIntegration } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates at the first pointer, touch or key event, which is replayed afterwards. */
    'client:gesture'?: boolean
  }
}

/** Ways to hydrate an island beyond Astro's own. */
export const clientDirectives = (): AstroIntegration => ({
  name: 'client-directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'gesture', entrypoint: './src/islands/on-gesture.ts' })
    },
  },
})
