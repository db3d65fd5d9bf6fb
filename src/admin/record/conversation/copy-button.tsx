import { LinkButton } from '../../components/button.tsx'
import { copyText } from '../../shell/copy-text.ts'
import { attempt } from '../../shell/notices.tsx'

/** Copies a text, which it may have to read first. */
export function CopyButton({ text }: { text: string | (() => Promise<string>) }) {
  const copy = () =>
    attempt(
      async () =>
        copyText(
          typeof text === 'string' ? text : await text(),
          'The text is copied',
          'The browser does not allow copying here. Select the text.',
        ),
      'The text could not be loaded. Try again.',
    )
  return <LinkButton onClick={() => void copy()}>Copy the text</LinkButton>
}
