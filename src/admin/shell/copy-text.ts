import { notify } from './notices.tsx'

export const copyText = async (text: string, copied: string, failed: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify({ text: copied })
  } catch {
    notify({ text: failed, tone: 'bad' })
  }
}
