import * as z from 'zod/mini'
import { description, line, points, text, title } from './fields.ts'

/**
 * The words of pages that have no document of their own. `{count:NAME}` becomes the length of that list in words,
 * `{Count:NAME}` the same at the beginning of a sentence, `{prices}` the monthly prices, `{brand}` the name,
 * `{founded}` the month and `{hours}` the hours within which a person answers.
 */

const page = { title, description: text, intro: text }
const titled = z.strictObject({ title })
const head = z.strictObject({ title, label: line })
const closing = z.strictObject({ title, text, button: line })

export const pages = z.strictObject({
  services: z.strictObject({
    title,
    description: text,
    badge: line,
    intro: text,
    closing: closing,
    heads: z.strictObject({ offers: head, process: head }),
    /** Beside the steps. */
    note: text,
  }),
  faq: z.strictObject({
    ...page,
    /** A tab without a question is left out. */
    tabs: z.strictObject({
      all: text,
      services: text,
      students: text,
      startups: text,
      process: text,
    }),
    closing: z.strictObject({ title, text }),
  }),
  careers: z.strictObject({
    ...page,
    heads: z.strictObject({ open: titled, how: head }),
    /** The name of the list of positions, for search engines. */
    list: text,
    steps: points,
    /** `subject` is that of the mail. */
    unsure: z.strictObject({ title, text, subject: line }),
  }),
  work: z.strictObject({
    ...page,
    closing: closing,
    heads: z.strictObject({ studies: head }),
    /** At the end of a case or study. */
    next: z.strictObject({ case: title, study: title, text, button: line }),
  }),
  consultation: z.strictObject({
    title,
    description: text,
    badge: line,
    intro: text,
    heads: z.strictObject({ choose: head, plan: head, how: head }),
    choose: text,
    plan: text,
    after: text,
  }),
  about: z.strictObject({
    title,
    head: title,
    description: text,
    drawingAlt: text,
    closing: closing,
    /** Beside the week. */
    week: text,
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
  request: z.strictObject({ description: text }),
  /** `back` leads to the positions. */
  apply: z.strictObject({ title, description: text, badge: line, intro: text, back: text }),
  /** The steps that follow after a form is sent. */
  sent: z.strictObject({ contacts: points, consultations: points, applications: points }),
  /** The page of an address that the site does not have. */
  lost: z.strictObject({ title, text }),
  quality: z.strictObject(page),
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
    /** After the introduction of the features, of which the first can be tried. */
    tried: text,
  }),
})
