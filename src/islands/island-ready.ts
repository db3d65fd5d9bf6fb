/** Dispatched by an island's element once its listeners are in place; bubbles. */
export const islandReady = 'island:ready'
