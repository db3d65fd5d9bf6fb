import type { FieldValues, KindPath } from '#contract/inbox.ts'
import type { Kinds } from '#contract/kinds.ts'
import type { Fields } from '#server/kinds/kind.ts'
import { positionIds, serviceIds } from '#site/content.ts'

/**
 * Records that nobody could take for real ones: everybody is called Sample, every address ends in
 * `.example` (RFC 2606). The n-th record of a kind is the same on every machine; a preferred date
 * counts from today.
 */
export interface SampleRecord {
  fields: Fields
  /** Seconds from the record's arrival to now. */
  age: number
  /** Seconds from its arrival to staff's last change of its status; null while it is new. */
  handledAfter: number | null
  statusIndex: number
  source: { referrer?: string; landingPage: string; utm_source?: string } | null
}

type Pick = <T>(list: readonly T[]) => T
type Random = () => number

const firstNames = [
  'Ada',
  'Bilal',
  'Chiara',
  'Dwayne',
  'Esra',
  'Farah',
  'Goran',
  'Hana',
  'Ivo',
  'Jun',
  'Kavya',
  'Lars',
  'Mina',
  'Noor',
  'Oskar',
  'Priya',
  'Quinn',
  'Rosa',
  'Søren',
  'Tomoko',
  'Uma',
  'Vik',
  'Wanda',
  'Ximena',
  'Yusuf',
  'Zoë',
] as const

const trades = [
  'bakery',
  'bicycle repair shop',
  'bookshop',
  'café',
  'dance school',
  'flower shop',
  'guest house',
  'language school',
  'physiotherapy practice',
  'pottery studio',
  'repair café',
  'tea trade',
  'vineyard',
  'yoga studio',
] as const

const goals = [
  'take orders without the phone',
  'show our opening hours and the way to us',
  'be found by people nearby',
  'sell a few hundred articles online',
  'let customers book a time by themselves',
  'move away from a page that nobody can edit any more',
  'load faster on an old phone',
  'publish a newsletter archive',
  'have the same look on paper and on the screen',
  'offer the page in two languages',
] as const

const details = [
  'There are about thirty pages now, most of them out of date.',
  'We have photographs, but the texts need work.',
  'Nobody here writes code, so editing must be simple.',
  'A first version in two months would be good.',
  'The old provider still holds the domain.',
  'We measured: seven of ten visitors come by phone.',
  'Payment by invoice is enough for a start.',
  'Accessibility matters to us, two of our regulars use screen readers.',
  'We would rather begin small and grow than wait.',
  'Last year’s attempt stopped half-way.',
] as const

const universities = [
  'Sample University of the North',
  'Sample Institute of Technology',
  'Sample College of Design',
  'Open University of Samples',
  'Sample Polytechnic',
] as const

const majors = [
  'Computer Science',
  'Interaction Design',
  'Information Systems',
  'Media Studies',
  'Business Informatics',
  'Mathematics',
] as const

const places = ['Bengaluru', 'Pune', 'Chennai', 'Lisbon', 'Nairobi', 'Tallinn', 'Quito'] as const

const projects = [
  'a timetable for my faculty',
  'a page for a choir',
  'an inventory for a workshop',
  'a map of drinking fountains',
  'a small game about tides',
  'a reading list with friends',
  'a weather station on the roof',
] as const

const lessons = [
  'reviews taught me more than any lecture',
  'I learned to ask before I build',
  'the second version was half as long as the first',
  'testing with real people changed everything',
  'I now write down decisions',
  'the hard part was naming things',
] as const

const referrers = [
  'https://search.example/',
  'https://news.example/makers',
  'https://chat.example/',
] as const

const landingPages = ['/', '/services', '/consultation', '/careers', '/blog'] as const

const DAY = 86_400

/** The oldest sample came in this long ago: younger than the shortest time that records are kept. */
const SPAN = 170 * DAY

/** The n-th sample record, n from 0, of `count` that spread over the last months, newest first. */
export function sampleRecord(kind: KindPath, n: number, count: number): SampleRecord {
  const random = randomOf(n * 3 + ['contacts', 'consultations', 'applications'].indexOf(kind))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const number = n + 1
  const name = `${pick(firstNames)} Sample ${number}`
  const email = `sample-${kind.slice(0, -1)}-${number}@people.example`
  const age = Math.round(((n + random()) / Math.max(count, 25)) * SPAN)
  const wait = Math.round((0.2 + 40 * random() ** 3) * 3_600)
  const untouched = wait >= age || random() < 0.25
  return {
    fields: { name, email, ...ownFields(kind, pick, random, number) },
    age,
    handledAfter: untouched ? null : wait,
    statusIndex: untouched ? 0 : 1 + Math.floor(random() * 4),
    source:
      random() < 0.3
        ? null
        : {
            landingPage: pick(landingPages),
            ...(random() < 0.5 ? { referrer: pick(referrers) } : {}),
            ...(random() < 0.2 ? { utm_source: 'sample-letter' } : {}),
          },
  }
}

const dayMs = 24 * 60 * 60 * 1_000

/** The fields that a kind has beside a name and an address. */
type OwnFields<Path extends KindPath> = Omit<FieldValues<Kinds[Path]>, 'name' | 'email'>

function ownFields(kind: KindPath, pick: Pick, random: Random, number: number): Fields {
  const request = `This is sample text. We run a ${pick(trades)} and want to ${pick(goals)}.`
  const message = `${request} ${pick(details)}\n\n${pick(details)} (Sample ${number})`
  const phone = `(555) 010-${String(number % 10_000).padStart(4, '0')}`
  switch (kind) {
    case 'contacts':
      return { message } satisfies OwnFields<'contacts'>
    case 'consultations':
      return {
        phone,
        company: random() < 0.3 ? null : `Sample ${pick(trades)} ${number}`,
        service: pick(serviceIds()),
        message,
        preferredDate: new Date(Date.now() + (1 + Math.floor(random() * 300)) * dayMs)
          .toISOString()
          .slice(0, 10),
        plan:
          number % 3 === 0
            ? { goal: 'shop', size: 'm', content: 'some', when: 'open', by: null }
            : null,
      } satisfies OwnFields<'consultations'>
    case 'applications':
      return {
        phone: random() < 0.4 ? null : phone,
        location: pick(places),
        position: pick(positionIds().slice(0, -1)),
        university: pick(universities),
        yearOfStudy: 1 + Math.floor(random() * 6),
        major: pick(majors),
        portfolio: random() < 0.5 ? null : `https://work.example/sample-${number}`,
        linkedin: random() < 0.6 ? null : `https://profiles.example/sample-${number}`,
        coverLetter: `This is sample text. I built ${pick(projects)}, and ${pick(lessons)}. After that came ${pick(projects)}; there ${pick(lessons)}.\n\nI would like to learn how work is done for people who depend on it. (Sample ${number})`,
        resumeUrl: `https://files.example/resume-${number}`,
      } satisfies OwnFields<'applications'>
  }
}

/** A small seeded generator (mulberry32): the same numbers for the same seed, everywhere. */
function randomOf(seed: number): Random {
  let state = (seed + 1) * 0x9e37_79b1
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
