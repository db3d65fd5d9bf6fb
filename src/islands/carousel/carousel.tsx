import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { pause, play, triangle } from '#ui/icons.ts'

export interface Quote {
  id: string
  name: string
  role: string
  text: string
  sample: boolean
}

interface Props {
  quotes: readonly Quote[]
  /** The section's heading, above the dots. */
  children?: ReactNode
}

const intervalMs = 5_000
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/**
 * Quotes in a scroll-snap row that moves every five seconds. Without its script the row still scrolls,
 * and its dots are links. It pauses while the pointer or the focus is in it, when a visitor has paused
 * it, and where reduced motion is preferred.
 */
export const Carousel = ({ quotes, children }: Props) => {
  const root = useRef<HTMLElement>(null)
  const reel = useRef<HTMLUListElement>(null)
  /** The slide that is shown, or that the row scrolls to. */
  const target = useRef(0)
  /** True while the script scrolls to `target`, until it is there or a visitor scrolls. */
  const isScrolling = useRef(false)
  const [current, setCurrent] = useState(0)
  /** Null until the script runs. */
  const [paused, setPaused] = useState<boolean | null>(null)

  const show = (index: number) => {
    target.current = (index + quotes.length) % quotes.length
    isScrolling.current = true
    setCurrent(target.current)
    const slide = reel.current?.children[target.current]
    if (!(slide instanceof HTMLElement) || !reel.current) return
    reel.current.scrollTo({
      left: slide.offsetLeft - reel.current.offsetLeft,
      behavior: prefersLessMotion().matches ? 'instant' : 'smooth',
    })
  }
  const showNext = useEffectEvent(() => show(target.current + 1))
  const stopScrolling = () => {
    isScrolling.current = false
  }

  useEffect(() => {
    const reduced = prefersLessMotion()
    const follow = () => setPaused(reduced.matches)
    follow()
    reduced.addEventListener('change', follow)
    return () => reduced.removeEventListener('change', follow)
  }, [])

  useEffect(() => {
    const slides = [...(reel.current?.children ?? [])]
    const seen = new IntersectionObserver(
      (entries) => {
        const slide = entries.findLast(({ isIntersecting }) => isIntersecting)?.target
        if (slide && !isScrolling.current) setCurrent(slides.indexOf(slide))
      },
      { root: reel.current, threshold: 0.6 },
    )
    for (const slide of slides) seen.observe(slide)
    return () => seen.disconnect()
  }, [])

  useEffect(() => {
    const section = root.current
    if (!section || paused !== false) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const isAttended = section.matches(':hover') || section.contains(document.activeElement)
        if (!document.hidden && !isAttended) showNext()
        wait()
      }, intervalMs)
    }
    wait()
    // Each of these restarts the five seconds.
    const restarts = ['pointerleave', 'focusout', 'click', 'keydown']
    for (const type of restarts) section.addEventListener(type, wait)
    return () => {
      clearTimeout(timer)
      for (const type of restarts) section.removeEventListener(type, wait)
    }
  }, [paused])

  return (
    <section
      ref={root}
      className="voice grid"
      aria-roledescription="carousel"
      aria-label="Client quotes"
      data-paused={paused || undefined}
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (!step || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        show(target.current + step)
      }}
    >
      <div className="c1-4 vhead">
        {children}
        <div className="dots">
          {quotes.map(({ id }, index) => (
            <a
              key={id}
              href={`#quote-${id}`}
              aria-label={`Quote ${index + 1} of ${quotes.length}`}
              aria-current={index === current || undefined}
              onClick={(event) => {
                event.preventDefault()
                show(index)
              }}
            >
              <Icon shape={triangle} />
            </a>
          ))}
          <button
            className="btn line small pause"
            type="button"
            onClick={() => setPaused((before) => !before)}
          >
            <Icon shape={pause} />
            <Icon shape={play} />
            <span>{paused ? 'Play' : 'Pause'}</span>
          </button>
        </div>
      </div>
      <ul
        ref={reel}
        className="reel c5-12"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        aria-label="Quotes"
        aria-live={paused === null ? undefined : paused ? 'polite' : 'off'}
        onPointerDown={stopScrolling}
        onWheel={stopScrolling}
        onScrollEnd={({ currentTarget: { scrollLeft, clientWidth } }) => {
          const place = Math.round(scrollLeft / clientWidth)
          // A quick second step replaces the first scroll, and snapping may stop it at a slide between.
          if (isScrolling.current && place !== target.current) return show(target.current)
          isScrolling.current = false
          target.current = place
          setCurrent(place)
        }}
      >
        {quotes.map(({ id, name, role, text, sample }) => (
          <li key={id} id={`quote-${id}`}>
            <figure>
              <blockquote>“{text}”</blockquote>
              <figcaption>
                {name}, {role} {sample && <span className="meta">Sample quote</span>}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}

const prefersLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)')
