/**
 * Moves a scroll-snap reel every five seconds and keeps its dots true. Without this script the reel
 * still scrolls, swipes and answers its dots. Turning stops while the reader points at it, has focus
 * in it, has paused it or prefers less motion.
 */
const interval = 5000

const reduced = matchMedia('(prefers-reduced-motion: reduce)')

export const startCarousel = (root: HTMLElement) => {
  const reel = root.querySelector<HTMLElement>('.reel')
  const button = root.querySelector<HTMLButtonElement>('.pause')
  const label = button?.querySelector('span')
  if (!reel || !button || !label) return

  const slides = [...reel.children] as HTMLElement[]
  const dots = [...root.querySelectorAll<HTMLAnchorElement>('.dots a')]
  let current = 0
  let paused = reduced.matches
  let timer: ReturnType<typeof setTimeout> | undefined

  const attended = () => root.matches(':hover') || root.contains(document.activeElement)

  const show = (index: number) => {
    const slide = slides[(index + slides.length) % slides.length]
    if (!slide) return
    reel.scrollTo({
      left: slide.offsetLeft - reel.offsetLeft,
      behavior: reduced.matches ? 'instant' : 'smooth',
    })
  }

  const wait = () => {
    clearTimeout(timer)
    reel.ariaLive = paused ? 'polite' : 'off'
    if (paused) return
    timer = setTimeout(() => {
      if (!document.hidden && !attended()) show(current + 1)
      wait()
    }, interval)
  }

  const setPaused = (value: boolean) => {
    paused = value
    root.toggleAttribute('data-paused', paused)
    label.textContent = paused ? 'Play' : 'Pause'
    wait()
  }

  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) current = slides.indexOf(target as HTMLElement)
      }
      dots.forEach((dot, index) => {
        dot.ariaCurrent = index === current ? 'true' : null
      })
    },
    { root: reel, threshold: 0.6 },
  )
  for (const slide of slides) seen.observe(slide)

  button.addEventListener('click', () => setPaused(!paused))
  dots.forEach((dot, index) => {
    dot.addEventListener('click', (event) => {
      event.preventDefault()
      show(index)
      wait()
    })
  })
  reel.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    show(current + step)
    wait()
  })
  for (const type of ['pointerleave', 'focusout']) root.addEventListener(type, wait)
  reduced.addEventListener('change', () => setPaused(reduced.matches))
  setPaused(paused)
}
