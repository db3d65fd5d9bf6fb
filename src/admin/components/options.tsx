/** Options of a select that are named by their values. */
export const Options = ({ values }: { values: readonly string[] }) =>
  values.map((value) => <option key={value}>{value}</option>)
