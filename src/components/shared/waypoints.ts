import type { IconName } from '#ui/all-icons.ts'

/** The symbol that a kind of technology carries on the chart. */
export const waypointIcons = {
  interface: 'triangle',
  server: 'hexagon',
  data: 'dot',
  shop: 'diamond',
} as const satisfies Record<string, IconName>
