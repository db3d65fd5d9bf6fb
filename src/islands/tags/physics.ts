type Axis = 'x' | 'y'
type Vector = Record<Axis, number>

interface Body {
  element: HTMLElement
  /** The position without offset, relative to the field. */
  home: Vector
  size: Vector
  offset: Vector
  speed: Vector
}

const axes = ['x', 'y'] as const
const stiffness = 260
const damping = 26
const drag = 3
const bounce = 0.55
const step = 1 / 120
const still = 6
/** Pixels per second that an arrow key adds. */
const push = 420

const origin = (): Vector => ({ x: 0, y: 0 })

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
    home: origin(),
    size: origin(),
    offset: origin(),
    speed: origin(),
  }))
  let room = origin()
  let held: Body | undefined
  /** The pointer that holds it: of two fingers the last one to press. */
  let holder: number | undefined
  let target = origin()
  let last: number | undefined

  const measure = () => {
    room = { x: field.clientWidth, y: field.clientHeight }
    for (const body of bodies) {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = body.element
      body.home = { x: offsetLeft, y: offsetTop }
      body.size = { x: offsetWidth, y: offsetHeight }
    }
  }

  const place = ({ element, offset: { x, y } }: Body) => {
    element.style.translate = `${x.toFixed(2)}px ${y.toFixed(2)}px`
  }

  const move = (body: Body) => {
    const { home, size, offset, speed } = body
    for (const axis of axes) {
      if (body === held)
        speed[axis] += ((target[axis] - offset[axis]) * stiffness - speed[axis] * damping) * step
      else speed[axis] *= Math.exp(-drag * step)
      const wanted = offset[axis] + speed[axis] * step
      const most = room[axis] - home[axis] - size[axis]
      offset[axis] = Math.min(Math.max(wanted, -home[axis]), most)
      if (offset[axis] !== wanted) speed[axis] *= -bounce
    }
  }

  const middle = ({ home, size, offset }: Body, axis: Axis) =>
    home[axis] + offset[axis] + size[axis] / 2

  /** Pushes two overlapping tags apart along the shorter axis and swaps their speeds. */
  const collide = (a: Body, b: Body) => {
    const gap = { x: middle(b, 'x') - middle(a, 'x'), y: middle(b, 'y') - middle(a, 'y') }
    const overlapOn = (axis: Axis) => (a.size[axis] + b.size[axis]) / 2 - Math.abs(gap[axis])
    const axis = overlapOn('x') < overlapOn('y') ? 'x' : 'y'
    const overlap = overlapOn(axis)
    if (overlap <= 0) return
    const sign = Math.sign(gap[axis]) || 1
    const shareA = a === held ? 0 : b === held ? 1 : 0.5
    a.offset[axis] -= sign * overlap * shareA
    b.offset[axis] += sign * overlap * (1 - shareA)
    const closing = (a.speed[axis] - b.speed[axis]) * sign
    if (closing <= 0) return
    const impulse = closing * (1 + bounce)
    a.speed[axis] -= sign * impulse * shareA
    b.speed[axis] += sign * impulse * (1 - shareA)
  }

  // Phones hide some tags: they are skipped.
  const isShown = ({ size }: Body) => size.x > 0
  const isMoving = ({ speed }: Body) => Math.hypot(speed.x, speed.y) > still

  const frame = (now: number) => {
    const elapsed = Math.min((now - (last ?? now)) / 1000, 0.1)
    last = now
    const shown = bodies.filter(isShown)
    for (let time = 0; time < elapsed; time += step) {
      shown.forEach(move)
      // Resting tags do not overlap.
      shown.forEach((a, i) => {
        for (const b of shown.slice(i + 1))
          if (a.speed.x || a.speed.y || b.speed.x || b.speed.y) collide(a, b)
      })
    }
    bodies.forEach(place)
    if (held !== undefined || shown.some(isMoving)) requestAnimationFrame(frame)
    else {
      last = undefined
      for (const body of bodies) body.speed = origin()
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
    const { offset } = body
    const start = { x: down.clientX - offset.x, y: down.clientY - offset.y }
    held = body
    holder = down.pointerId
    target = { ...offset }
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
      for (const axis of axes) body.speed[axis] += (target[axis] - body.offset[axis]) * drag
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
    for (const body of bodies.filter(isShown)) body.speed.x += direction * push
    run()
  }

  for (const body of bodies) body.element.addEventListener('pointerdown', grab(body), { signal })
  field.addEventListener('keydown', pushAll, { signal })
  // A new width moves the positions: the tags return to them.
  const reset = () => {
    for (const body of bodies) {
      body.offset = origin()
      body.speed = origin()
      place(body)
    }
  }
  addEventListener('resize', reset, { signal })
  return () => listeners.abort()
}
