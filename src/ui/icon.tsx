import { type IconName, type IconShape, icons } from './icon-paths.ts'

/** A decorative icon the size of its text; words beside it, or a label on its control, say it. */
export const Icon = ({ name }: { name: IconName }) => {
  const { box, path, circles }: IconShape = icons[name]
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
