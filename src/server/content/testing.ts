import type { Entry } from '#contract/content/collections.ts'
import { signInAs } from '#server/auth/testing.ts'
import type { TestApi } from '#server/testing.ts'
import { content } from '#site/content.ts'
import type { SiteRenderer } from './site.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
export type Json = Record<string, any>

export const call = async (
  api: TestApi,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json }> => {
  const response = await api.request(`/api/content${path}`, { method, token, body })
  return { status: response.status, body: (await response.json()) as Json }
}

/** Calls the desk as somebody with this role. */
export const as = async (
  api: TestApi,
  role: 'reviewer' | 'editor' | 'admin' | 'superuser',
  username: string = role,
) => {
  const { token } = await signInAs(api.deps, role, username)
  return (method: string, path: string, body?: unknown) => call(api, token, method, path, body)
}

/** Answers what it is told to, and draws no pages. */
export const rendererThat = (draw: SiteRenderer['draw']): SiteRenderer => ({
  build: 'test',
  draw,
  preview: async () => ({ status: 200, html: '', csp: '' }),
  redirects: () => '',
})

/** An article for tests: the site may have none. */
export const ownArticle = (id: string): Entry<'blog'> => ({
  id,
  data: {
    title: `About ${id}`,
    excerpt: 'A summary that is long enough to stand below its title in a list.',
    category: content().pages.blog.categories[0] ?? '',
    date: '2026-01-31',
    tags: ['Tests'],
    hero: 'first-flight',
    heroAlt: 'A drawing',
    related: [],
    body: {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'This is old.' }] }],
    },
  },
})
