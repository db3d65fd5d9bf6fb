import { navigate, parametersOf, useLocation } from './location.ts'

/** A parameter of the URL as a state; unknown values count as the usual one, which the URL leaves out. */
export const useParameter = <Value extends string>(
  name: string,
  values: readonly Value[],
  usual: NoInfer<Value>,
): [Value, (value: Value) => void] => {
  const search = useLocation((location) => location.search)
  const { [name]: given, ...others } = parametersOf(search)
  const set = (value: Value) => {
    const params = new URLSearchParams({ ...others, ...(value === usual ? {} : { [name]: value }) })
    void navigate(`${location.pathname}${params.size > 0 ? `?${params}` : ''}`, {
      replace: true,
      keepScroll: true,
    })
  }
  return [values.find((value) => value === given) ?? usual, set]
}
