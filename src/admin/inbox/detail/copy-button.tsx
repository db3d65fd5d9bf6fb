import { LinkButton } from '../../components/button.tsx'
import { notify } from '../../shell/notices.tsx'

export function CopyButton({ text }: { text: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify({ text: 'The text is copied' })
    } catch {
      notify({ text: 'The browser does not allow copying here. Select the text.', tone: 'bad' })
    }
  }
  return <LinkButton onClick={() => void copy()}>Copy the text</LinkButton>
}
