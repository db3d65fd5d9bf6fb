import * as z from 'zod/mini'
import { description, text, title } from './fields.ts'

/**
 * The words of pages that have no document of their own. `{count:NAME}` becomes the length of that list in words,
 * `{Count:NAME}` the same at the beginning of a sentence, `{prices}` the monthly prices.
 */

const titled = z.strictObject({ title })
const head = z.strictObject({ title, label: text })
const closing = z.strictObject({ title, text, button: text })

export const pages = z.strictObject({
  services: z.strictObject({
    title,
    description: text,
    badge: text,
    intro: text,
    closing: closing,
    heads: z.strictObject({ offers: head, process: head }),
  }),
  faq: z.strictObject({ title, description: text, intro: text }),
  careers: z.strictObject({
    title,
    description: text,
    intro: text,
    heads: z.strictObject({ open: titled, how: head }),
  }),
  work: z.strictObject({
    title,
    description: text,
    intro: text,
    closing: closing,
    heads: z.strictObject({ studies: head }),
  }),
  consultation: z.strictObject({
    title,
    description: text,
    badge: text,
    heads: z.strictObject({ choose: head, plan: head, how: head }),
  }),
  about: z.strictObject({
    title,
    closing: closing,
    heads: z.strictObject({
      story: titled,
      week: head,
      people: head,
      timeline: head,
      values: head,
      features: head,
    }),
  }),
  blog: z.strictObject({
    title,
    description,
    intro: text,
    /** What an article can be filed under, in the order of the filter. */
    categories: z.array(text).check(z.minLength(1)),
  }),
  home: z.strictObject({
    title,
    heads: z.strictObject({ services: head, proof: titled, work: head, contact: titled }),
  }),
  service: z.strictObject({
    closing: closing,
    heads: z.strictObject({
      'use-cases': head,
      platforms: head,
      technologies: head,
      benefits: head,
      metrics: head,
      questions: titled,
    }),
  }),
})
