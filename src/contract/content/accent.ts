/**
 * The colours of the theme that follow from the owner's accent. Each keeps the accent's hue and the nearest
 * lightness with which it can be read: 4.5:1 for text, 3:1 for shapes (WCAG 2.2, AA), in both themes.
 */

/** The accent of `styles/tokens.css`. */
const BUILT_IN = '#f55a00'

interface Oklch {
  l: number
  c: number
  h: number
}

type Rgb = readonly [r: number, g: number, b: number]

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

const oklchOf = (hex: string): Oklch => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  )
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b),
  ]
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: (Math.atan2(bb, a) * 180) / Math.PI,
  }
}

const linearRgb = ({ l, c, h }: Oklch): Rgb => {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ]
}

const isInGamut = (colour: Oklch): boolean =>
  linearRgb(colour).every((part) => part > -0.0005 && part < 1.0005)

/** With as much chroma as a screen can show. */
const shown = (colour: Oklch): Oklch => {
  let { c } = colour
  while (c > 0 && !isInGamut({ ...colour, c })) c -= 0.002
  return { ...colour, c: Math.max(0, c) }
}

const luminance = (colour: Oklch): number => {
  const [r, g, b] = linearRgb(shown(colour))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (one: Oklch, other: Oklch): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const day = { l: 0.972, c: 0.012, h: 86 }
const dayTinted = { l: 0.945, c: 0.016, h: 86 }
const night = { l: 0.185, c: 0.024, h: 264 }
const nightTinted = { l: 0.222, c: 0.026, h: 264 }
const darkText = { l: 0.2, c: 0.038, h: 264 }
const lightText = { l: 0.985, c: 0.006, h: 86 }

/** The nearest lightness at which a colour is good enough; undefined where none is. */
const nearest = (wanted: Oklch, isGood: (colour: Oklch) => boolean): Oklch | undefined => {
  for (let step = 0; step <= 1; step += 0.005)
    for (const l of [wanted.l + step, wanted.l - step])
      if (l > 0 && l < 1 && isGood({ ...wanted, l })) return { ...wanted, l }
  return undefined
}

const css = (colour: Oklch): string => {
  const { l, c, h } = shown(colour)
  return `oklch(${+l.toFixed(3)} ${+c.toFixed(3)} ${(Math.round(h) + 360) % 360})`
}

const hexOf = (colour: Oklch): string =>
  `#${linearRgb(shown(colour))
    .map((part) => {
      const value = Math.min(1, Math.max(0, part))
      const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
      return Math.round(encoded * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`

export const accentOf = (wanted: string) => {
  const base = oklchOf(wanted)
  const carries = (text: Oklch, ground: Oklch) => (colour: Oklch) =>
    contrast(colour, ground) >= 3 && contrast(colour, text) >= 4.5
  const options = [darkText, lightText]
    .map((text) => ({ text, colour: nearest(base, carries(text, day)) }))
    .filter((option): option is { text: Oklch; colour: Oklch } => option.colour !== undefined)
    .sort((a, b) => Math.abs(a.colour.l - base.l) - Math.abs(b.colour.l - base.l))
  const { text, colour } = options[0] ?? { text: darkText, colour: base }
  const { c, h } = base
  const reads = (ground: Oklch) => (one: Oklch) => contrast(one, ground) >= 4.5
  const find = (start: Oklch, isGood: (one: Oklch) => boolean) => nearest(start, isGood) ?? start
  const light = {
    colour,
    text: find({ l: 0.525, c: c * 0.83, h: h - 5 }, reads(dayTinted)),
    wash: { l: 0.93, c: Math.min(0.045, c * 0.22), h: h + 20 },
  }
  // Lighter than by day, unless that would wash it out.
  const wantedDark = { l: Math.min(base.l + 0.07, Math.max(base.l, 0.85)), c: c * 0.88, h: h + 5 }
  const dark = {
    colour: find(wantedDark, carries(darkText, night)),
    text: find({ l: 0.785, c: c * 0.73, h: h + 10 }, reads(nightTinted)),
    wash: { l: 0.275, c: Math.min(0.048, c * 0.234), h: h + 4 },
  }
  const names = { colour: '--accent', text: '--accent-t', wash: '--accent-w' } as const
  const list = (write: (part: keyof typeof names) => string) =>
    (Object.keys(names) as (keyof typeof names)[])
      .map((part) => `${names[part]}:${write(part)}`)
      .join(';')
  const pair = (name: string, one: Oklch, other: Oklch, least: number) => ({
    name,
    contrast: contrast(one, other),
    least,
  })
  return {
    /** As the light theme shows it. */
    hex: hexOf(colour),
    /** The accent on dark ground, `#rrggbb`. */
    dark: hexOf(dark.colour),
    /** Declarations for `:root`; undefined where the styles hold this accent already. */
    css:
      wanted.toLowerCase() === BUILT_IN
        ? undefined
        : [
            `:root:root{${list((part) => css(light[part]))};--on-accent:${css(text)}}`,
            `@supports (color:light-dark(red,red)){:root:root{${list(
              (part) => `light-dark(${css(light[part])},${css(dark[part])})`,
            )};--on-accent:light-dark(${css(text)},${css(darkText)})}}`,
          ].join(''),
    /** Themes that show another lightness than the accent's, because it cannot be read on their paper. */
    moved: [
      { theme: 'light' as const, from: base, to: colour },
      { theme: 'dark' as const, from: wantedDark, to: dark.colour },
    ].flatMap(({ theme, from, to }) =>
      Math.abs(from.l - to.l) < 0.01 ? [] : [{ theme, hex: hexOf(to) }],
    ),
    /** Pairs that must be read, each with what it must reach. */
    contrasts: [
      pair('shape on light paper', light.colour, day, 3),
      pair('label on it', text, light.colour, 4.5),
      pair('text on light paper', light.text, dayTinted, 4.5),
      pair('shape on dark paper', dark.colour, night, 3),
      pair('label on it in the dark', darkText, dark.colour, 4.5),
      pair('text on dark paper', dark.text, nightTinted, 4.5),
    ],
  }
}
