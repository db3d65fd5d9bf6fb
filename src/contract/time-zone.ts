/** True if a name stands for a time zone of the IANA database. */
export const isTimeZone = (name: string): boolean => {
  // `Intl` takes offsets such as +02:00 too.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
