const MARKED = /^\s{0,3}(?:>|&gt;)/

/** A line of dashes around words in any language: `-----Original Message-----`. */
const DIVIDER = /^\s{0,3}-{2,20} ?\p{L}[\p{L}\s.’'-]{2,60}?-{2,20}\s{0,3}$/u

/** The underscores that Outlook puts before the header of the earlier mail. */
const RULE = /^\s{0,3}[_-]{20,}\s{0,3}$/

/** The first line of an earlier mail's header, as mail programs translate it. */
const FROM =
  /^\s{0,3}\*{0,2}(?:From|Von|De|Da|Van|Från|Fra|Od|Odesílatel|Lähettäjä|Kimden|Feladó|Expeditor|От|От кого|Від|Από|发件人|寄件者|差出人|보낸 사람|من|מאת)\s?\*{0,2}\s?[:：]/iu

/** Another line of that header, in any language. */
const HEADER = /^\s{0,3}\*{0,2}\p{L}[\p{L}\p{M} .-]{0,24}\*{0,2}\s?[:：]\*{0,2}\s?\S/u

/**
 * `On … wrote:` in the languages of common mail programs, for quotations without marks. Yahoo puts spaces around it.
 */
const ATTRIBUTION =
  /^\s{0,8}(?:(?:On|Am|Le|El|Il|Op|Em|Den|På|Dnia|W dniu|V|Dne|Pe|Em) .{6,300}(?:wrote|schrieb.{0,120}|a écrit|escribió|ha scritto|schreef.{0,120}|escreveu|skrev.{0,120}|napisał(?:\(a\)|a)?|napsal(?:\(a\)|a)?|a scris|kirjoitti)\s?:|.{6,300}(?:пишет|написал(?:\(а\)|а)?|のメール|写道|寫道|님이 작성|tarihinde.{0,120}yazdı|كتب)\s?[:：]?)\s{0,8}$/iu

/** Any words before a quotation that end in a colon and name a time or an address. */
const INTRODUCTION = /[\d@][\s\S]*[:：]\s*$/

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

const isMarked = (line: string | undefined): boolean => line !== undefined && MARKED.test(line)

/** True if an earlier mail's header begins here: a sender's line and two more. */
const beginsHeader = (lines: readonly string[], at: number): boolean =>
  FROM.test(lines[at] ?? '') &&
  lines.slice(at + 1, at + 6).filter((line) => HEADER.test(line)).length >= 2

const nextFilled = (lines: readonly string[], at: number): number => {
  let next = at + 1
  while (next < lines.length && isBlank(lines[next])) next += 1
  return next
}

/**
 * The first line of an earlier mail that was copied without marks; the text's length if there is
 * none.
 */
const restBegins = (lines: readonly string[]): number => {
  for (const [at, line] of lines.entries()) {
    if (isMarked(line)) continue
    if (DIVIDER.test(line) || beginsHeader(lines, at)) return at
    if (RULE.test(line) && beginsHeader(lines, nextFilled(lines, at))) return at
    // Checked first, since looking for the next filled line at every line takes quadratic time.
    if (!ATTRIBUTION.test(line)) continue
    const next = lines[nextFilled(lines, at)]
    // With marks after it, the words belong to the marked lines alone.
    if (next !== undefined && !isMarked(next)) return at
  }
  return lines.length
}

/** The number of lines right before marked ones that say who wrote them. */
const introducedBy = (lines: readonly string[], first: number): number => {
  let gap = 0
  while (gap < 3 && isBlank(lines[first - gap - 1])) gap += 1
  for (let count = 1; count <= 3; count += 1) {
    const begin = first - gap - count
    if (begin < 0 || isBlank(lines[begin]) || isMarked(lines[begin])) return 0
    const startsParagraph = begin === 0 || isBlank(lines[begin - 1])
    const words = lines.slice(begin, first - gap).join(' ')
    if (words.length > 400) return 0
    if (INTRODUCTION.test(words) && (startsParagraph || ATTRIBUTION.test(words))) return count + gap
  }
  return 0
}

/**
 * Divides a mail's text into runs of lines that its sender wrote or that are copied from earlier mails, in order.
 * Where everything is copied, as in a forwarded mail, it counts as written.
 */
export const splitQuoted = (text: string): { text: string; isQuoted: boolean }[] => {
  const lines = text.split('\n')
  const quoted = lines.map((line) => isMarked(line))
  quoted.fill(true, restBegins(lines))
  for (const [at, isQuoted] of quoted.entries()) {
    if (!isQuoted || quoted[at - 1] || !isMarked(lines[at])) continue
    quoted.fill(true, at - introducedBy(lines, at), at)
  }
  // Empty lines between quoted ones belong to them.
  for (let at = lines.length - 2; at > 0; at -= 1)
    if (isBlank(lines[at]) && quoted[at + 1]) {
      let begin = at
      while (begin > 0 && isBlank(lines[begin])) begin -= 1
      if (quoted[begin]) quoted.fill(true, begin, at + 1)
      at = begin + 1
    }
  if (lines.every((line, at) => quoted[at] || isBlank(line))) return [{ text, isQuoted: false }]
  const runs: { lines: string[]; isQuoted: boolean }[] = []
  for (const [at, line] of lines.entries()) {
    const isQuoted = quoted[at] ?? false
    const last = runs.at(-1)
    if (last?.isQuoted === isQuoted) last.lines.push(line)
    else runs.push({ lines: [line], isQuoted })
  }
  return runs.map((run) => ({ text: run.lines.join('\n'), isQuoted: run.isQuoted }))
}
