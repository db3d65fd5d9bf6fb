/**
 * The site's owner. No other file repeats these values. Entries with `sample: true` are placeholders:
 * a production build counts them on every page.
 */
export const brand = {
  name: 'Fledge',
  claim: 'The first flight of student developers on real work, with a professional beside them.',
  description:
    'Websites, web apps and online shops for startups and small businesses, built by student developers under professional guidance.',
  /** The mark: an SVG path in a square of 32 units. */
  mark: 'M2 6.5 25 12.7 16.8 18.2M3.5 17.3 11.8 19.9 5.6 25.3',
  /** ISO month of the founding. */
  founded: '2023-11',
  contact: {
    sample: true,
    email: 'hello@fledge.example',
    phone: { label: '(123) 456-7890', href: 'tel:+11234567890' },
    address: {
      street: '4 Hangar Lane',
      city: 'Bengaluru',
      region: 'Karnataka',
      postalCode: '560001',
      country: 'India',
      countryCode: 'IN',
    },
  },
  author: {
    sample: true,
    name: 'The founder of Fledge',
    role: 'Founder',
    bio: 'Started Fledge in November 2023 to bring student developers, guided by professionals, together with startups and small businesses that need websites they can afford.',
  },
  /** Profile URLs; each becomes a `sameAs` of the organization. */
  social: [] as readonly { label: string; href: string }[],
} as const

/** `mailto:` link to the brand, with a subject when one is given. */
export const mailto = (subject?: string) =>
  `mailto:${brand.contact.email}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
