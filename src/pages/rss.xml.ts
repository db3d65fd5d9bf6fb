import mdxRenderer from '@astrojs/mdx/server.js'
import rss from '@astrojs/rss'
import type { APIRoute } from 'astro'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { bodyOf } from '#components/article/body.ts'
import RichText from '#components/article/rich-text.astro'
import { getPosts, postPath } from '#components/blog/posts.ts'
import { brand } from '#site/content.ts'
import { feedHtml } from '#site/feed-html.ts'
import { absolute } from '#site/home.ts'

export const GET: APIRoute = async () => {
  const container = await AstroContainer.create()
  // Imported here and not by name, so that the bundle has it.
  container.addServerRenderer({ renderer: mdxRenderer })
  const items = []
  for (const post of getPosts()) {
    const { title, excerpt, date, category, tags, body } = post.data
    const { Mdx } = await bodyOf('blog', post)
    const html = await container.renderToString(RichText, { props: { body, Mdx, plain: true } })
    const link = absolute(postPath(post))
    items.push({
      title,
      description: excerpt,
      pubDate: new Date(date),
      link,
      categories: [category, ...tags],
      content: await feedHtml(html, link),
    })
  }
  return rss({
    title: `${brand().name} blog`,
    description: brand().claim,
    site: absolute('/'),
    items,
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData: `<language>${brand().language}</language><atom:link href="${absolute('/rss.xml')}" rel="self" type="application/rss+xml"/>`,
  })
}
