import { notify } from './notices.tsx'

/** Copies a text; a notice says what became of it. */
export const copyText = async (text: string, copied: string, failed: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify({ text: copied })
  } catch {
    notify({ text: failed, tone: 'bad' })
  }
}
