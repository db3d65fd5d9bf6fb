/** The key that does the same as the control it stands in: for eyes, not for screen readers. */
export function Key({ of }: { of: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{of}</kbd>
    </span>
  )
}
