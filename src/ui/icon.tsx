import type { IconShape } from './icons.ts'

/** A decorative icon the size of its text; words beside it, or a label on its control, say it. */
export const Icon = ({ shape: { box, path, circles } }: { shape: IconShape }) => {
  const thin = box === 14 ? { vectorEffect: 'non-scaling-stroke' } : {}
  return (
    <svg className="i" viewBox={`0 0 ${box} ${box}`} aria-hidden="true">
      {path && <path d={path} {...thin} />}
      {circles?.map(({ solid, ...circle }) => (
        <circle
          key={circle.r}
          {...circle}
          {...(solid ? { fill: 'currentColor', stroke: 'none' } : thin)}
        />
      ))}
    </svg>
  )
}
