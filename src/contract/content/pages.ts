import * as z from 'zod/mini'
import { description, points, text, title } from './fields.ts'

/**
 * The words of pages that have no document of their own. `{count:NAME}` becomes the length of that list in words,
 * `{Count:NAME}` the same at the beginning of a sentence, `{prices}` the monthly prices, `{brand}` the name and
 * `{founded}` the month.
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
    /** Beside the steps. */
    note: text,
  }),
  faq: z.strictObject({ title, description: text, intro: text, closing: text }),
  careers: z.strictObject({
    title,
    description: text,
    intro: text,
    heads: z.strictObject({ open: titled, how: head }),
    steps: points,
    unsure: z.strictObject({ title, text }),
  }),
  work: z.strictObject({
    title,
    description: text,
    intro: text,
    closing: closing,
    heads: z.strictObject({ studies: head }),
    /** At the end of a case or study. */
    next: z.strictObject({ case: title, study: title, text, button: text }),
  }),
  consultation: z.strictObject({
    title,
    description: text,
    badge: text,
    heads: z.strictObject({ choose: head, plan: head, how: head }),
    choose: text,
    plan: text,
    after: text,
  }),
  about: z.strictObject({
    title,
    head: title,
    description: text,
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
    foot: text,
    /** The categories of articles, in the order of the filter. */
    categories: z.array(text).check(z.minLength(1)),
  }),
  apply: z.strictObject({ description: text, steps: points }),
  position: z.strictObject({ steps: points }),
  home: z.strictObject({
    title,
    heads: z.strictObject({ services: head, proof: titled, work: head, contact: titled }),
    /** The lines of the first heading. */
    headline: z.array(text).check(z.minLength(1), z.maxLength(3)),
    intro: text,
    services: text,
    tick: text,
    work: text,
    talk: text,
    voices: title,
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
