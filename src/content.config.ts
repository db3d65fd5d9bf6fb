import { defineCollection, reference } from 'astro:content'
import { file, glob } from 'astro/loaders'
import { z } from 'astro/zod'
import { planValues } from '#contract/plan.ts'
import { blogCategories } from './content/blog-categories.ts'
import { packagePrices } from './contract/services.ts'

/** Sort key of a list; collections have no order. */
const order = z.int().positive()
const ordered = z.object({ order })

const point = z.object({ title: z.string(), text: z.string() })
/** An address on this site. */
const path = z.string().startsWith('/')
/** The symbol a technology carries on the chart: triangle, hexagon, ringed dot, diamond. */
const waypoint = z.enum(['interface', 'server', 'data', 'shop'])
const technology = z.object({ name: z.string(), waypoint })
/** A page's description for search results and shared links. */
const description = z.string().min(50).max(170)

/** A UTC day, `YYYY-MM-DD`. YAML reads one without quotation marks as a date. */
const day = z.union([z.iso.date(), z.date().transform((date) => date.toISOString().slice(0, 10))])

const list = <Schema extends z.ZodObject>(name: string, schema: Schema) =>
  defineCollection({ loader: file(`src/content/${name}.yaml`), schema })

/**
 * What the agency offers, in order: the one list behind /services, the footer and the service pages. A
 * service with an entry in `service-pages` has a page. `drawing` is a name of `drawings/service-picture.astro`.
 */
const services = list(
  'services',
  ordered.extend({
    title: z.string(),
    summary: z.string(),
    drawing: z.string(),
    features: z.array(z.string()).min(3),
  }),
)

/** Home: six things that visitors look for, each part of a service. */
const homeServices = list(
  'home-services',
  ordered.extend({
    title: z.string(),
    summary: z.string(),
    drawing: z.string(),
    service: reference('services'),
  }),
)

/** /services, "Our Process". */
const process = list('process', ordered.extend(point.shape))

/** What is still a placeholder says so, on the page and in the build's list of samples. */
const figure = z.object({ text: z.string(), sample: z.boolean().default(false) })

/** /services/{id}; titles and order are those of `services`. A page shows the sections it has, in this order. */
const servicePages = list(
  'service-pages',
  z.object({
    description,
    intro: z.string(),
    drawingAlt: z.string(),
    price: figure,
    time: figure,
    bring: z.string(),
    get: z.string(),
    /** From the FAQ, answered at the end of the page. */
    questions: z.array(reference('faq')).length(3),
    /** The case or study that the page leads to. */
    work: reference('work'),
    /** The feature that visitors try on the page, and what each state of its drawing shows. */
    specimen: z.object({
      feature: z.string(),
      /** The link to it, in the page's head. */
      invite: z.string(),
      note: z.string(),
      states: z
        .array(point.extend({ label: z.string(), detail: z.string() }))
        .min(2)
        .max(3),
    }),
    tags: z.array(z.string()).optional(),
    features: z.object({ heading: z.string(), intro: z.string(), items: z.array(point) }),
    /** What visitors look for under another name than the page's. */
    alsoOffered: point.optional(),
    useCases: z.array(point).optional(),
    platforms: z.array(point.extend({ fits: z.string() })).optional(),
    /** Each stop has a drawing and says what can be looked at then. */
    process: z
      .object({
        heading: z.string(),
        intro: z.string(),
        stops: z.array(z.object({ see: z.string(), steps: z.array(point).min(1) })).max(5),
      })
      .optional(),
    technologies: z.array(technology).optional(),
    benefits: z.array(point).optional(),
    metrics: z.array(point.extend({ act: z.string() })).optional(),
  }),
)

/** A drawing of `drawings/decisions.astro`, and the line above it. */
const side = z.object({ caption: z.string(), drawing: z.string(), alt: z.string() })

/**
 * /work/{id}, one file each: a `study` is a concept of ours, a `case` is real work with a dated figure.
 * What has a `plate` is shown on the home page.
 */
const work = defineCollection({
  loader: glob({ base: 'src/content/work', pattern: '*.yaml' }),
  schema: ordered
    .extend({
      kind: z.enum(['case', 'study']),
      title: z.string(),
      description,
      intro: z.string(),
      /** One line, for the plate. */
      summary: z.string(),
      category: z.enum(['web', 'mobile']),
      technologies: z.array(z.string()).min(1),
      for: z.string(),
      what: z.string(),
      reviewedBy: figure.optional(),
      plate: z
        .object({
          drawing: z.string(),
          alt: z.string(),
          ground: z.enum(['sea', 'land', 'accent-w', 'paper-2']),
          wide: z.boolean(),
        })
        .optional(),
      situation: z.string(),
      constraint: z.string(),
      decisions: z
        .array(
          point.extend({
            cost: z.string(),
            /** What the review marked in the drawing before. */
            mark: z.string().optional(),
            before: side.optional(),
            after: side.optional(),
          }),
        )
        .min(1)
        .max(3),
      /** `bench`: this site's own figures, as the bench measured them last. */
      result: z
        .union([
          z.literal('bench'),
          z.object({
            figure: z.string(),
            meaning: z.string(),
            date: day,
            method: z.string(),
          }),
        ])
        .optional(),
      different: z.array(point).default([]),
      live: path.or(z.url()).optional(),
    })
    .refine(({ kind, result }) => kind === 'study' || result, {
      error: 'a case needs a result with its day',
    }),
})

const testimonials = list(
  'testimonials',
  ordered.extend({
    name: z.string(),
    role: z.string(),
    quote: z.string(),
    sample: z.boolean().default(false),
  }),
)

/** The hero's technologies; the first eight are the ones a phone shows. */
const tags = list('tags', ordered.extend(technology.shape))

/** `{basic}` and `{premium}` become the packages' prices. */
const withPrices = (text: string): string =>
  text
    .replaceAll('{basic}', `$$${packagePrices['basic-package']}`)
    .replaceAll('{premium}', `$$${packagePrices['premium-package']}`)

const faq = list(
  'faq',
  ordered.extend({
    question: z.string().endsWith('?'),
    answer: z.array(z.string().transform(withPrices)).min(1),
    category: z.enum(['services', 'students', 'startups', 'process']),
    more: z.object({ label: z.string(), href: path }).optional(),
    sample: z.boolean().default(false),
  }),
)

/** Home and /consultation: how a consultation goes. `summary` is the home page's one line. */
const consultationSteps = list(
  'consultation-steps',
  ordered.extend({ ...point.shape, summary: z.string() }),
)

/** /consultation: what can be booked; ids are the contract's service slugs, prices its own. */
const consultationServices = list(
  'consultation-services',
  ordered.extend({
    title: z.string(),
    summary: z.string(),
    duration: z.string(),
    price: z.string().optional(),
    /** A package's features each name their subject, so that packages can be compared. */
    features: z
      .array(
        z
          .string()
          .transform((text) => ({ subject: '', text }))
          .or(z.object({ subject: z.string(), text: z.string() })),
      )
      .min(3),
    recommended: z.boolean(),
    type: z.enum(['website', 'package']),
    button: z.string(),
  }),
)

/** /careers/{id}; ids and titles are the contract's. `posted` is the UTC day of publication. */
const positions = list(
  'positions',
  ordered.extend({
    department: z.string(),
    location: z.string(),
    /** Where applicants must be, since the work is remote. */
    country: z.string(),
    type: z.string(),
    hours: z.string(),
    length: z.string(),
    pay: z.string(),
    start: z.string(),
    summary: z.string(),
    duties: z.array(z.string()).min(3),
    requirements: z.array(z.string()).min(3),
    posted: z.coerce.date(),
    sample: z.boolean().default(false),
  }),
)

/** When each position takes applications; the server reads this file too. UTC days, both included. */
const openings = defineCollection({
  loader: file('src/content/openings.json'),
  schema: z
    .strictObject({
      open: z.boolean(),
      opensAt: z.iso.date().optional(),
      closesAt: z.iso.date().optional(),
      answerBy: z.iso.date().optional(),
    })
    .refine(({ opensAt = '', closesAt = '9999-12-31' }) => opensAt <= closesAt, {
      error: 'closesAt is before opensAt',
    })
    .refine(({ closesAt = '', answerBy = '9999-12-31' }) => closesAt <= answerBy, {
      error: 'answerBy is before closesAt: who applies last has to be answered too',
    }),
})

/** How applications for each position are judged; the server reads this file too. Scores keep the keys. */
const hiring = defineCollection({
  loader: file('src/content/hiring.json'),
  schema: z
    .strictObject({
      blind: z.boolean(),
      criteria: z
        .array(
          z.strictObject({
            key: z.string().regex(/^[a-z][a-z-]{0,39}$/),
            label: z.string().min(1),
            /** What 1, 2, 3 and 4 mean. */
            anchors: z.array(z.string().min(1)).length(4),
          }),
        )
        .min(3)
        .max(5),
    })
    .refine(({ criteria }) => new Set(criteria.map(({ key }) => key)).size === criteria.length, {
      error: 'two criteria have the same key',
    }),
})

const company = defineCollection({
  loader: file('src/content/company.yaml'),
  schema: z.object({
    founded: z.string().regex(/^\d{4}-\d{2}$/),
    story: z.array(z.string()),
    timeline: z.array(point.extend({ when: z.string() })).length(3),
    values: z.array(point).length(4),
    features: z.array(point).length(4),
    /** Only people who agreed to be shown. */
    people: z.array(z.object({ name: z.string(), role: z.string(), text: z.string() })),
    week: z
      .array(
        z.object({
          day: z.string(),
          moments: z.array(
            point.extend({
              lane: z.enum(['client', 'student', 'professional']),
              /** What kind of thing the text is. */
              artefact: z.string(),
            }),
          ),
        }),
      )
      .length(5),
  }),
})

const parts = z.array(z.string()).min(1)

/** What the plan on /consultation answers; `server/plan/sheet.ts` decides which parts to show. */
const plan = defineCollection({
  loader: file('src/content/plan.yaml'),
  schema: z.object({
    scopes: z.record(
      z.enum(planValues('goal')),
      z.object({
        noun: z.string(),
        /** A service of services.yaml, whose features are the scope. */
        service: z.string().optional(),
        items: parts.default([]),
      }),
    ),
    steps: z.object({ build: parts, care: parts }),
    prepare: z.record(z.enum(planValues('content')), parts),
    also: z.partialRecord(z.enum(planValues('goal')), z.string()),
    prices: z.array(
      z.object({
        goal: z.enum(planValues('goal')),
        size: z.enum(planValues('size')),
        text: z.string(),
        sample: z.boolean().default(false),
      }),
    ),
    instead: parts,
    leadTime: z.object({ sample: z.boolean().default(false) }),
  }),
})

/** Each `##` of a legal page is one section. */
const legal = defineCollection({
  loader: glob({ base: 'src/content/legal', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    description,
    intro: z.string(),
    /** The month of the last change, as `YYYY-MM`. */
    updated: z.string().regex(/^\d{4}-\d{2}$/),
  }),
})

const blog = defineCollection({
  loader: glob({ base: 'src/content/blog', pattern: '*.mdx' }),
  schema: z.object({
    title: z.string(),
    slug: z.string().optional(),
    excerpt: z.string().min(50).max(220),
    category: z.enum(blogCategories),
    /** The day of publication, UTC. */
    date: z.coerce.date(),
    /** Minutes, at 200 to 240 words each. */
    readTime: z.int().positive(),
    featured: z.boolean(),
    tags: z.array(z.string()).min(2),
    /** The drawing in src/components/drawings/articles at the head of the article. */
    hero: z.string(),
    heroAlt: z.string(),
    related: z.array(reference('blog')).length(2),
  }),
})

export const collections = {
  services,
  'home-services': homeServices,
  process,
  'service-pages': servicePages,
  work,
  testimonials,
  tags,
  faq,
  'consultation-steps': consultationSteps,
  'consultation-services': consultationServices,
  positions,
  openings,
  hiring,
  company,
  plan,
  legal,
  blog,
}
