import { arrow, back, type IconShape, out, play, warn, waypoints } from './icons.ts'

/** Every icon by its name, for prerendered pages and for the admin. */
export const icons = {
  ...waypoints,
  arrow,
  back,
  bin: { path: 'M2 4h12M6 4V2h4v2M3.5 4l1 10h7l1-10' },
  cap: { path: 'M1 5.5 8 2l7 3.5L8 9ZM4 7.5V12c2 1.6 6 1.6 8 0V7.5' },
  calendar: { path: 'M1.5 3.5h13v11h-13ZM1.5 7h13M5 1v4M11 1v4M8 9v4M6 11h4' },
  caret: { path: 'm3 5.5 5 5 5-5' },
  chart: { path: 'M2 14V8M6 14V3M10 14V6M14 14V10' },
  check: { path: 'm2 8.5 4 4 8-9' },
  clock: { path: 'M8 4.2V8l2.8 2', circles: [{ cx: 8, cy: 8, r: 6.4 }] },
  close: { path: 'm3 3 10 10M13 3 3 13' },
  down: { path: 'M8 1v10M4 7.5 8 11.5l4-4M2 14.5h12' },
  find: { path: 'm11 11 4 4', circles: [{ cx: 7, cy: 7, r: 5 }] },
  keys: { path: 'M1 4h14v8.5H1ZM4 7h1M7.5 7h1M11 7h1M4.5 10h7' },
  lock: { path: 'M3 7h10v7.5H3ZM5 7V4.5a3 3 0 0 1 6 0V7' },
  mail: { path: 'M1.5 3h13v10h-13ZM1.5 3.5 8 9l6.5-5.5' },
  menu: { path: 'M1 4h14M1 8h14M1 12h9' },
  moon: { path: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z' },
  more: { path: 'M2.2 7.4h1.2v1.2H2.2ZM7.4 7.4h1.2v1.2H7.4ZM12.6 7.4h1.2v1.2h-1.2Z' },
  out,
  play,
  pen: { path: 'm2 14 1-4 8-8 3 3-8 8ZM9.5 3.5l3 3' },
  print: { path: 'M4 6V1.5h8V6M4 12H1.5V6h13v6H12M4 9.5h8v5H4Z' },
  stop: { path: 'M2 2h12v12H2ZM5 8h6' },
  reply: { path: 'M6.5 3 2 7.5 6.5 12M2 7.5h7.5c3 0 4.5 2 4.5 5.5' },
  sun: {
    path: 'M8 .8v2M8 13.2v2M.8 8h2M13.2 8h2M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M13.1 2.9l-1.4 1.4M4.3 11.7l-1.4 1.4',
    circles: [{ cx: 8, cy: 8, r: 3 }],
  },
  tray: { path: 'M1.5 9.5 4 2.5h8l2.5 7v4h-13ZM1.5 9.5H5l1 2h4l1-2h3.5' },
  up: { path: 'm3 10.5 5-5 5 5' },
  user: { path: 'M2 15c0-4 2.5-5.5 6-5.5S14 11 14 15', circles: [{ cx: 8, cy: 5, r: 3 }] },
  users: {
    path: 'M1 14.5c0-3.6 2-5 5-5s5 1.4 5 5M10.5 2.9a2.8 2.8 0 0 1 0 5M12 9.8c2 .5 3 2 3 4.7',
    circles: [{ cx: 6, cy: 5.3, r: 2.8 }],
  },
  warn,
} as const satisfies Record<string, IconShape>

export type IconName = keyof typeof icons
