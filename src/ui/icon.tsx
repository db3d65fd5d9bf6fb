import type { IconShape } from './icons.ts'

/** A decorative icon in the size of the text; text beside it or its control's label has the meaning. */
export const Icon = ({ shape: { box = 16, path, circles } }: { shape: IconShape }) => {
  const thin = box === 14 ? { vectorEffect: 'non-scaling-stroke' } : {}
  return (
    <svg className="icon" viewBox={`0 0 ${box} ${box}`} aria-hidden="true">
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
