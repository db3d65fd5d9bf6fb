/** A URL, or a host that mail programs make a link of. */
const links =
  /(?:https?:\/\/|www\.)[^\s<>"]+|(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+(?:xn--[a-z0-9-]+|\p{L}{2,})(?:[/?#][^\s<>"]*)?/giu

/** Names of frameworks, which no mail program takes for hosts. */
const noHost = /^[\p{L}\p{N}-]+\.js$/iu

const linksIn = (text: string): string[] =>
  [...text.matchAll(links)]
    .map(([link]) => link.replace(/[.,;:!?)\]'’”]+$/u, ''))
    .filter((link) => !noHost.test(link))

const hostOf = (link: string): string => {
  const url = /^https?:/i.test(link) ? link : `https://${link}`
  return URL.canParse(url) ? new URL(url).host : link
}

/**
 * Links of a message that an agent has drafted, and that neither lead to the own site nor stand in a
 * template: a stranger’s text may have put them there.
 *
 * @param drafts with their placeholders filled in, as they reach the message
 */
export const foreignLinks = (
  text: string,
  {
    drafts,
    templates,
    ownHosts = [location.host],
  }: {
    drafts: readonly string[]
    templates: readonly { text: string }[]
    ownHosts?: readonly string[]
  },
): string[] => {
  // By its host: a link that was changed a little is still the draft's.
  const drafted = new Set(drafts.flatMap((one) => linksIn(one).map(hostOf)))
  const saved = new Set(templates.flatMap((one) => linksIn(one.text)))
  return [...new Set(linksIn(text))].filter(
    (link) => drafted.has(hostOf(link)) && !saved.has(link) && !ownHosts.includes(hostOf(link)),
  )
}
