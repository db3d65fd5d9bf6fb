import { download } from './answer.ts'

/** RFC 4180, and safe to open in a spreadsheet. */

/** Tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

// Characters that a spreadsheet may take for a formula, in full-width forms too: at the start of a
// cell, and after characters at which some programs split cells.
const formula = /^(?=[=+\-@＝＋－＠\t\r])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const csvCell = (value: unknown): string => {
  const text = cellText(value)
  const safe = text.replace(formula, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (values: readonly unknown[]): string =>
  `${values.map(csvCell).join(',')}\r\n`

/** A table as a file: its columns are named as the fields. */
export const csvFile = (
  name: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Response =>
  download(
    `${name}.csv`,
    'text/csv',
    BYTE_ORDER_MARK +
      csvLine(columns) +
      rows.map((row) => csvLine(columns.map((column) => row[column]))).join(''),
  )
