/** An icon's square view box (its side) and the shapes in it; `solid` circles are filled. */
export interface IconShape {
  box: 14 | 16
  path?: string
  circles?: readonly { cx: number; cy: number; r: number; solid?: true }[]
}

/**
 * Every icon of site and admin, drawn with a 1.6 stroke in the text's colour. The waypoints: triangle
 * for interface (also section, step and slide), hexagon for server, ringed dot for data, diamond for shop.
 */
export const icons = {
  triangle: { box: 14, path: 'M7 1.6 13 12H1Z' },
  hexagon: { box: 14, path: 'M4 1.5h6L13 7l-3 5.5H4L1 7Z' },
  dot: {
    box: 14,
    circles: [
      { cx: 7, cy: 7, r: 5.6 },
      { cx: 7, cy: 7, r: 1.6, solid: true },
    ],
  },
  diamond: { box: 14, path: 'M7 .8 13.2 7 7 13.2.8 7Z' },
  arrow: { box: 16, path: 'M1 8h13M9 3l5 5-5 5' },
  back: { box: 16, path: 'M15 8H2M7 3 2 8l5 5' },
  moon: { box: 16, path: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z' },
  sun: {
    box: 16,
    path: 'M8 .8v2M8 13.2v2M.8 8h2M13.2 8h2M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M13.1 2.9l-1.4 1.4M4.3 11.7l-1.4 1.4',
    circles: [{ cx: 8, cy: 8, r: 3 }],
  },
  menu: { box: 16, path: 'M1 4h14M1 8h14M1 12h9' },
  close: { box: 16, path: 'm3 3 10 10M13 3 3 13' },
  pause: { box: 16, path: 'M5 3v10M11 3v10' },
  play: { box: 16, path: 'M4 2.5 13 8l-9 5.5Z' },
  warn: { box: 16, path: 'M8 1.5 15 14H1ZM8 6v4M8 11.5v1' },
  check: { box: 16, path: 'm2 8.5 4 4 8-9' },
  out: { box: 16, path: 'M9 2H2v12h7M6 8h9M11 4l4 4-4 4' },
  search: { box: 16, path: 'm11 11 4 4', circles: [{ cx: 7, cy: 7, r: 5 }] },
  inbox: { box: 16, path: 'M1.5 9.5 4 2.5h8l2.5 7v4h-13ZM1.5 9.5H5l1 2h4l1-2h3.5' },
  application: { box: 16, path: 'M1 5.5 8 2l7 3.5L8 9ZM4 7.5V12c2 1.6 6 1.6 8 0V7.5' },
  message: { box: 16, path: 'M1.5 3h13v10h-13ZM1.5 3.5 8 9l6.5-5.5' },
  dashboard: { box: 16, path: 'M2 14V8M6 14V3M10 14V6M14 14V10' },
  users: {
    box: 16,
    path: 'M2 15c0-4 2.5-5.5 6-5.5S14 11 14 15',
    circles: [{ cx: 8, cy: 5, r: 3 }],
  },
} as const satisfies Record<string, IconShape>

export type IconName = keyof typeof icons
