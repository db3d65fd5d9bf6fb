/** What moves on the home page arrives when its place comes into view, and only where it is used. */
const whenSeen = (selector: string, start: (element: HTMLElement) => void) => {
  const element = document.querySelector<HTMLElement>(selector)
  if (!element) return
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    start(element)
  })
  seen.observe(element)
}

whenSeen('.voice', (element) => {
  void import('./carousel.ts').then(({ startCarousel }) => startCarousel(element))
})

if (matchMedia('(min-width: 48rem) and (pointer: fine)').matches) {
  whenSeen('.air', (element) => {
    void import('./tags.ts').then(({ makeDraggable }) => makeDraggable(element))
  })
}
