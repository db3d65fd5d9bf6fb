/** The shapes of an icon; `solid` circles are filled. */
export interface IconShape {
  /** The side of its square view box, if that is not 16. */
  box?: 14 | 16
  path?: string
  circles?: readonly { cx: number; cy: number; r: number; solid?: true }[]
}

/**
 * The icons that scripts of the site use; the others are in `all-icons.ts`, so that no script contains
 * icons that it does not use. All have a 1.6 stroke in the text's colour.
 */

export const arrow: IconShape = { path: 'M1 8h13M9 3l5 5-5 5' }
export const back: IconShape = { path: 'M15 8H2M7 3 2 8l5 5' }
export const out: IconShape = { path: 'M9 2H2v12h7M6 8h9M11 4l4 4-4 4' }
export const pause: IconShape = { path: 'M5 3v10M11 3v10' }
export const play: IconShape = { path: 'M4 2.5 13 8l-9 5.5Z' }
export const warn: IconShape = { path: 'M8 1.5 15 14H1ZM8 6v4M8 11.5v1' }

export const triangle: IconShape = { box: 14, path: 'M7 1.6 13 12H1Z' }

/** Triangle for interface (also section, step and slide), hexagon for server, ringed dot for data, diamond for shop. */
export const waypoints = {
  triangle,
  hexagon: { box: 14, path: 'M4 1.5h6L13 7l-3 5.5H4L1 7Z' },
  dot: {
    box: 14,
    circles: [
      { cx: 7, cy: 7, r: 5.6 },
      { cx: 7, cy: 7, r: 1.6, solid: true },
    ],
  },
  diamond: { box: 14, path: 'M7 .8 13.2 7 7 13.2.8 7Z' },
} as const satisfies Record<string, IconShape>
