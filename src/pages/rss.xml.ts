import { render } from 'astro:content'
import mdxRenderer from '@astrojs/mdx/server.js'
import rss from '@astrojs/rss'
import type { APIRoute } from 'astro'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { getPosts, postPath } from '#components/blog/posts.ts'
import { brand } from '#site/content.ts'
import { feedHtml } from '#site/feed-html.ts'
import { site } from '#site/home.ts'

export const GET: APIRoute = async () => {
  const container = await AstroContainer.create()
  // Imported here and not by name, so that the bundle has it.
  container.addServerRenderer({ renderer: mdxRenderer })
  const items = []
  for (const post of await getPosts()) {
    const { Content } = await render(post)
    items.push({
      title: post.data.title,
      description: post.data.excerpt,
      pubDate: post.data.date,
      link: new URL(postPath(post), site).href,
      categories: [post.data.category, ...post.data.tags],
      content: await feedHtml(await container.renderToString(Content), site),
    })
  }
  return rss({
    title: `${brand().name} blog`,
    description: brand().claim,
    site,
    items,
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData: `<language>en</language><atom:link href="${new URL('/rss.xml', site).href}" rel="self" type="application/rss+xml"/>`,
  })
}
