import { LinkButton } from '../../components/button.tsx'
import { copyText } from '../../shell/copy-text.ts'

export function CopyButton({ text }: { text: string }) {
  const copy = () =>
    copyText(
      text,
      'The text is copied',
      'The browser does not allow copying here. Select the text.',
    )
  return <LinkButton onClick={() => void copy()}>Copy the text</LinkButton>
}
