import GithubSlugger from 'github-slugger'
import { plainText, type RichText } from '#contract/content/rich-text.ts'
import type { Body } from '#contract/content/writing.ts'
import { unmarked } from '#site/publish/mark.ts'

/** A slug keeps letters and digits alone. */
const HAS_WORD = /[\p{L}\p{N}]/u

/** Ids that the pages around a text use. */
const taken = ['main', 'foot', 'toc', 'author', 'related', 'closing']

export const headingsOf = (document: RichText) => {
  const slugger = new GithubSlugger()
  for (const id of taken) slugger.slug(id)
  return document.content.flatMap((block, index) => {
    if (block.type !== 'heading') return []
    const text = unmarked(plainText(block))
    return [
      {
        index,
        depth: block.attrs.level,
        slug: slugger.slug(HAS_WORD.test(text) ? text : 'part'),
        text,
      },
    ]
  })
}

export const wordsIn = (text: string): number =>
  text.split(/\s+/).filter((word) => HAS_WORD.test(word)).length

const WORDS_A_MINUTE = 220

/** The minutes that reading a text takes, code included; at least 1. */
export const readingMinutes = (body: Body): number => {
  const words = body.type === 'mdx' ? body.words : wordsIn(plainText(body))
  return Math.max(1, Math.round(words / WORDS_A_MINUTE))
}
