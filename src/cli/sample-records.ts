import type { FieldValues, KindPath } from '#contract/inbox.ts'
import type { Kinds } from '#contract/kinds.ts'
import type { Fields } from '#server/kinds/kind.ts'
import { packageServices, positionIds, talkService } from '#site/content.ts'

/**
 * Records that nobody could take for real ones: everybody is called Sample, every address ends in
 * `.example` (RFC 2606). The n-th record of a kind is the same on every machine; a preferred date
 * counts from today.
 */

type Pick = <T>(list: readonly T[]) => T
type Random = () => number

const firstNames =
  'Ada Bilal Chiara Dwayne Esra Farah Goran Hana Ivo Jun Kavya Lars Mina Noor Oskar Priya Quinn Rosa Søren Tomoko Uma Vik Wanda Ximena Yusuf Zoë'.split(
    ' ',
  )

type Need = 'start' | 'care' | 'grow' | 'own'

/** Each business with what it writes first, and the service that fits. */
const businesses: readonly { trade: string; need: Need; first: string; wish: string }[] = [
  {
    trade: 'Bakery',
    need: 'start',
    first: 'People phone us at six to ask which bread is left',
    wish: 'They should see it online and reserve a loaf until noon',
  },
  {
    trade: 'Bicycle repair shop',
    need: 'start',
    first: 'Half our day goes into saying when a bicycle is ready',
    wish: 'Customers should book a repair and look up where it stands',
  },
  {
    trade: 'Bookshop',
    need: 'grow',
    first: 'Our readings sell out, but only regulars hear of them',
    wish: 'We want to be found by people nearby and write about new books each week',
  },
  {
    trade: 'Café',
    need: 'care',
    first: 'Our lunch menu changes daily and the page still shows last summer',
    wish: 'Somebody should keep it fresh without us touching code',
  },
  {
    trade: 'Dance school',
    need: 'start',
    first: 'Parents ask for free places by mail, and we answer each one by hand',
    wish: 'A timetable with places and a form would save our evenings',
  },
  {
    trade: 'Flower shop',
    need: 'grow',
    first: 'Mother’s Day makes a third of our year and our page was down that morning',
    wish: 'It must hold, load fast on a phone and bring orders',
  },
  {
    trade: 'Guest house',
    need: 'start',
    first: 'We pay a portal for every second guest although they come back by name',
    wish: 'They should book with us directly, two rooms first',
  },
  {
    trade: 'Language school',
    need: 'care',
    first: 'We have forty pupils and course dates in three languages',
    wish: 'The pages need somebody who updates them twice a month',
  },
  {
    trade: 'Physiotherapy practice',
    need: 'care',
    first: 'Patients look for our opening hours and find those of the former owner',
    wish: 'Hours, ways to reach us and the team should simply be right',
  },
  {
    trade: 'Pottery studio',
    need: 'start',
    first: 'Our courses fill by word of mouth, our glazes do not sell at all',
    wish: 'A small shop for thirty pieces would be enough for a start',
  },
  {
    trade: 'Repair café',
    need: 'own',
    first: 'We are volunteers and need a list of what was mended, by weight',
    wish: 'Visitors enter their thing at the door, and a counter shows what was saved',
  },
  {
    trade: 'Tea trade',
    need: 'grow',
    first: 'Our shop pages are found for every tea but the ones we import ourselves',
    wish: 'We want to know why, and to sell those',
  },
  {
    trade: 'Vineyard',
    need: 'start',
    first: 'Our vineyard sells at the gate only, and the road is closed until spring',
    wish: 'We need orders by the box, with an age check, before the holidays',
  },
  {
    trade: 'Yoga studio',
    need: 'own',
    first: 'We have two rooms, six teachers and a paper calendar',
    wish: 'Teachers should enter their hours themselves and pupils move a booking',
  },
]

const streets = ['Mill Lane', 'Harbour Street', 'Station Road', 'Market Square', 'Orchard Way']

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
  'University of the North',
  'Institute of Technology East',
  'College of Design',
  'Open University of the Coast',
  'Polytechnic of the Plains',
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

/** The n-th sample record, n from 0, of `count` that spread over the last months before `now`, newest first. */
export function sampleRecord(kind: KindPath, n: number, count: number, now: Date = new Date()) {
  const random = randomOf(n * 3 + ['contacts', 'consultations', 'applications'].indexOf(kind))
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const number = n + 1
  const name = `${pick(firstNames)} Sample ${number}`
  const email = `sample-${kind.slice(0, -1)}-${number}@people.example`
  // In a small set many records came in the last week, as on a real morning.
  const curve = count <= 1_000 ? 2 : 1
  const spread = Math.round(((n + random()) / Math.max(count, 25)) ** curve * SPAN)
  // One in eight comes at night or at a weekend.
  const age =
    n % 8 === 7 ? spread : spread + toWorkingTime(new Date(now.getTime() - spread * 1_000))
  const wait = Math.round((0.2 + 40 * random() ** 3) * 3_600)
  const untouched = wait >= age || random() < (age < 4 * DAY ? 0.35 : 0.03)
  const fields: Fields = { name, email, ...ownFields(kind, pick, random, number) }
  return {
    fields,
    /** Seconds from the record's arrival to now. */
    age,
    /** Seconds from its arrival to staff's last change of its status; null while it is new. */
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

/** The seconds from the last working hour before a moment to it; 0 within working hours. UTC. */
function toWorkingTime(at: Date): number {
  const hour = at.getUTCHours()
  const toEvening = hour < 6 ? 8 * 3_600 : 0
  const weekday = new Date(at.getTime() - toEvening * 1_000).getUTCDay()
  const toFriday = { 6: DAY, 0: 2 * DAY }[weekday] ?? 0
  return toEvening + toFriday
}

type OwnFields<Path extends KindPath> = Omit<FieldValues<Kinds[Path]>, 'name' | 'email'>

function ownFields(kind: KindPath, pick: Pick, random: Random, number: number): Fields {
  const { trade, need, first, wish } = pick(businesses)
  const people = 2 + Math.floor(random() * 28)
  const since = 1950 + Math.floor(random() * 74)
  const detail = pick(details)
  const other = pick(details.filter((it) => it !== detail))
  const message = `${first}. ${wish}. We are ${people} people, at it since ${since}. ${detail}\n\n${other}`
  const phone = `(555) 010-${String(number % 10_000).padStart(4, '0')}`
  switch (kind) {
    case 'contacts':
      return { message } satisfies OwnFields<'contacts'>
    case 'consultations':
      return {
        phone,
        company: random() < 0.3 ? null : `${trade}, ${pick(streets)}`,
        service: serviceFor(need),
        message,
        preferredDate: workingDay(2 + Math.floor(random() * 18)),
        plan:
          need === 'start' && random() < 0.5
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
        coverLetter: `I built ${pick(projects)}, and ${pick(lessons)}. After that came ${pick(projects)}; there ${pick(lessons)}.\n\nI would like to learn how work is done for people who depend on it.`,
        resumeUrl: `https://files.example/resume-${number}`,
      } satisfies OwnFields<'applications'>
  }
}

const serviceFor = (need: Need): string => {
  const packages = packageServices()
  const fitting = { start: talkService(), care: packages[0], grow: packages.at(-1), own: 'custom' }
  return fitting[need] ?? 'custom'
}

/** A day from now on which people work, `YYYY-MM-DD`. */
const workingDay = (days: number): string => {
  const date = new Date(Date.now() + days * DAY * 1_000)
  const weekend: Partial<Record<number, number>> = { 6: 2, 0: 1 }
  date.setUTCDate(date.getUTCDate() + (weekend[date.getUTCDay()] ?? 0))
  return date.toISOString().slice(0, 10)
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
