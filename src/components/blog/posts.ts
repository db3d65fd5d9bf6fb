import { type CollectionEntry, getCollection } from 'astro:content'

export type Post = CollectionEntry<'blog'>

/** All articles, newest first. */
export const getPosts = async (): Promise<Post[]> =>
  (await getCollection('blog')).sort((a, b) => b.data.date.getTime() - a.data.date.getTime())

export const postPath = (post: { id: string }) => `/blog/${post.id}`

/** A category as the listing's filter has it in the URL. */
export const categoryId = (category: string) => category.toLowerCase().replaceAll(' ', '-')
