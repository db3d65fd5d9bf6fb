import { isOff } from './features.ts'

/** The bar and the footer. The bar holds eight labels at its narrowest, 992 px. */
const bar = [
  { label: 'Home', href: '/' },
  { label: 'About', href: '/about' },
  { label: 'Services', href: '/services' },
  { label: 'Consultation', href: '/consultation' },
  { label: 'Careers', href: '/careers' },
  { label: 'Blog', href: '/blog' },
  { label: 'FAQ', href: '/faq' },
  { label: 'Contact', href: '/#contact' },
]

export const mainLinks = () => bar.filter(({ href }) => !isOff(href))

export const footerLinks = [
  { label: 'Privacy Policy', href: '/privacy-policy' },
  { label: 'Terms & Conditions', href: '/terms-conditions' },
  { label: 'Accessibility', href: '/accessibility' },
  { label: 'Measured Quality', href: '/quality' },
]

/** The link of the bar that the page at `path` belongs to: its own or that of the nearest section. */
export const currentLink = (path: string) =>
  bar.find(({ href }) => href === path) ??
  bar.find(({ href }) => href !== '/' && path.startsWith(`${href}/`))
