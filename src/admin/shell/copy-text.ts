import { notify } from './notices.tsx'

export const copyText = async (
  text: string,
  copied: string,
  failed = 'It could not be copied. Select it by hand.',
): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify({ text: copied })
  } catch {
    notify({ text: failed, tone: 'bad' })
  }
}
