interface Body {
  element: HTMLElement
  /** The position without offset, relative to the field. */
  home: { left: number; top: number; width: number; height: number }
  x: number
  y: number
  vx: number
  vy: number
}

const stiffness = 260
const damping = 26
const drag = 3
const bounce = 0.55
const step = 1 / 120
const still = 6
/** Pixels per second that an arrow key adds. */
const push = 420

/**
 * Makes the children of `field` draggable: a held one follows the pointer by a spring, a released one
 * flies on, slows down, bounces off the edges and pushes the others. Offsets are pixels from the position
 * that CSS gives the child and are set as `translate`, so that the drift (a `transform`) continues around it.
 *
 * @returns a function that removes all listeners
 */
export const makeDraggable = (field: HTMLElement): (() => void) => {
  const listeners = new AbortController()
  const { signal } = listeners
  const reduced = matchMedia('(prefers-reduced-motion: reduce)')
  const bodies: Body[] = ([...field.children] as HTMLElement[]).map((element) => ({
    element,
    home: { left: 0, top: 0, width: 0, height: 0 },
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
  }))
  let size = { width: 0, height: 0 }
  let held: Body | undefined
  /** The pointer that holds it: of two fingers the last one to press. */
  let holder: number | undefined
  let target = { x: 0, y: 0 }
  let last: number | undefined

  const measure = () => {
    size = { width: field.clientWidth, height: field.clientHeight }
    for (const { element, home } of bodies) {
      home.left = element.offsetLeft
      home.top = element.offsetTop
      home.width = element.offsetWidth
      home.height = element.offsetHeight
    }
  }

  const place = ({ element, x, y }: Body) => {
    element.style.translate = `${x.toFixed(2)}px ${y.toFixed(2)}px`
  }

  const move = (body: Body) => {
    if (body === held) {
      body.vx += ((target.x - body.x) * stiffness - body.vx * damping) * step
      body.vy += ((target.y - body.y) * stiffness - body.vy * damping) * step
    } else {
      body.vx *= Math.exp(-drag * step)
      body.vy *= Math.exp(-drag * step)
    }
    body.x += body.vx * step
    body.y += body.vy * step

    const { left, top, width, height } = body.home
    const [minX, maxX] = [-left, size.width - left - width]
    const [minY, maxY] = [-top, size.height - top - height]
    if (body.x < minX || body.x > maxX) {
      body.x = Math.min(Math.max(body.x, minX), maxX)
      body.vx *= -bounce
    }
    if (body.y < minY || body.y > maxY) {
      body.y = Math.min(Math.max(body.y, minY), maxY)
      body.vy *= -bounce
    }
  }

  /** Pushes two overlapping tags apart along the shorter axis and swaps their speeds. */
  const collide = (a: Body, b: Body) => {
    const dx = b.home.left + b.x + b.home.width / 2 - (a.home.left + a.x + a.home.width / 2)
    const dy = b.home.top + b.y + b.home.height / 2 - (a.home.top + a.y + a.home.height / 2)
    const overlapX = (a.home.width + b.home.width) / 2 - Math.abs(dx)
    const overlapY = (a.home.height + b.home.height) / 2 - Math.abs(dy)
    if (overlapX <= 0 || overlapY <= 0) return
    const along = overlapX < overlapY ? 'x' : 'y'
    const speed = along === 'x' ? 'vx' : 'vy'
    const sign = Math.sign(along === 'x' ? dx : dy) || 1
    const overlap = along === 'x' ? overlapX : overlapY
    const shareA = a === held ? 0 : b === held ? 1 : 0.5
    a[along] -= sign * overlap * shareA
    b[along] += sign * overlap * (1 - shareA)
    const closing = (a[speed] - b[speed]) * sign
    if (closing <= 0) return
    const impulse = closing * (1 + bounce)
    a[speed] -= sign * impulse * shareA
    b[speed] += sign * impulse * (1 - shareA)
  }

  // Phones hide some tags: they are skipped.
  const isShown = ({ home }: Body) => home.width > 0
  const moving = () =>
    held !== undefined || bodies.filter(isShown).some(({ vx, vy }) => Math.hypot(vx, vy) > still)

  const frame = (now: number) => {
    const elapsed = Math.min((now - (last ?? now)) / 1000, 0.1)
    last = now
    for (let time = 0; time < elapsed; time += step) {
      const shown = bodies.filter(isShown)
      shown.forEach(move)
      // Resting tags do not overlap.
      shown.forEach((a, i) => {
        for (const b of shown.slice(i + 1)) {
          if (a.vx || a.vy || b.vx || b.vy) collide(a, b)
        }
      })
    }
    bodies.forEach(place)
    if (moving()) requestAnimationFrame(frame)
    else {
      last = undefined
      for (const body of bodies) body.vx = body.vy = 0
    }
  }

  const run = () => {
    if (last !== undefined) return
    last = performance.now()
    requestAnimationFrame(frame)
  }

  const grab = (body: Body) => (down: PointerEvent) => {
    if (down.button !== 0 || reduced.matches) return
    measure()
    const start = { x: down.clientX - body.x, y: down.clientY - body.y }
    held = body
    holder = down.pointerId
    target = { x: body.x, y: body.y }
    try {
      body.element.setPointerCapture(down.pointerId)
    } catch {
      // A replayed press has no pointer that could be captured.
    }
    body.element.classList.add('held')

    const gesture = new AbortController()
    const ends = { signal: AbortSignal.any([signal, gesture.signal]) }
    const follow = (event: PointerEvent) => {
      if (event.pointerId !== holder) return
      target = { x: event.clientX - start.x, y: event.clientY - start.y }
    }
    const release = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      gesture.abort()
      body.element.classList.remove('held')
      if (event.pointerId !== holder) return
      held = undefined
      // A throw may be over before the spring moved the tag: it still travels the way that it lags behind.
      body.vx += (target.x - body.x) * drag
      body.vy += (target.y - body.y) * drag
    }
    body.element.addEventListener('pointermove', follow, ends)
    for (const type of ['pointerup', 'pointercancel'] as const)
      body.element.addEventListener(type, release, ends)
    run()
  }

  const pushAll = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!direction || event.ctrlKey || event.metaKey || event.altKey || reduced.matches) return
    event.preventDefault()
    measure()
    for (const body of bodies.filter(isShown)) body.vx += direction * push
    run()
  }

  for (const body of bodies) body.element.addEventListener('pointerdown', grab(body), { signal })
  field.addEventListener('keydown', pushAll, { signal })
  // A new width moves the positions: the tags return to them.
  const reset = () => {
    for (const body of bodies) {
      body.x = body.y = body.vx = body.vy = 0
      place(body)
    }
  }
  addEventListener('resize', reset, { signal })
  return () => listeners.abort()
}
