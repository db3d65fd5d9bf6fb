import styles from './segments.module.css'

interface Props<Value> {
  className?: string | undefined
  /** For screen readers. */
  legend: string
  options: readonly (readonly [value: Value, label: string])[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, all in view. */
export function Segments<Value extends string | number | boolean>({
  className = styles.segments,
  legend,
  options,
  value,
  onChange,
}: Props<Value>) {
  return (
    <fieldset className={className}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([one, label]) => (
        <button
          key={String(one)}
          type="button"
          aria-pressed={one === value}
          onClick={() => onChange(one)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
