import { useQuery } from '@tanstack/react-query'
import type { EditorEvents, Editor as TextEditor } from '@tiptap/core'
import type { ReactNode } from 'react'
import type { Image } from '#contract/content/desk.ts'
import { figureDrawings } from '#contract/content/rich-text.ts'
import { Field } from '#ui/field.tsx'
import { Options } from '../../components/form.tsx'
import { imagesQuery, namesOfImages, Upload } from '../upload.tsx'

/** The picture of a figure: a drawing, an image of the site, or a new one, which the words in `children` describe. */
export function Picture({ editor, children }: { editor: TextEditor; children: ReactNode }) {
  const { data: all = [] } = useQuery(imagesQuery)
  const { src, alt } = editor.getAttributes('figure') as Record<string, string | null>
  const show = (chosen: string) => {
    const image = all.find(({ url }) => url === chosen)
    editor.commands.updateAttributes('figure', {
      src: chosen,
      width: image?.width ?? null,
      height: image?.height ?? null,
      ...(image && !alt?.trim() ? { alt: image.alt } : {}),
    })
  }
  const isKnown = figureDrawings.some((name) => name === src) || all.some(({ url }) => url === src)
  return (
    <>
      <Field id="figure-src" label="Picture">
        <select
          id="figure-src"
          value={src ?? ''}
          onChange={({ currentTarget }) => show(currentTarget.value)}
        >
          {!isKnown && <option value={src ?? ''}>{src || 'Choose…'}</option>}
          <Options values={figureDrawings.map((name) => [name, `Drawing ${name}`])} />
          <Options values={namesOfImages(all, src ?? '', alt ?? '')} />
        </select>
      </Field>
      {children}
      <Upload
        id="figure-file"
        label="Or a new one, up to 5 MB"
        alt={alt ?? ''}
        onUpload={(stored) => showOnceStored(editor, stored)}
      />
    </>
  )
}

/** Puts the picture into the figure that is selected now, wherever it and the caret are by then. */
async function showOnceStored(editor: TextEditor, stored: Promise<Image>): Promise<void> {
  let figure = editor.utils.createMappablePosition(editor.state.selection.from)
  const follow = ({ transaction }: EditorEvents['transaction']) => {
    figure = editor.utils.getUpdatedPosition(figure, transaction).position
  }
  editor.on('transaction', follow)
  try {
    const { url, width, height } = await stored
    editor.commands.command(({ tr }) => {
      const at = figure.position
      if (tr.doc.nodeAt(at)?.type.name !== 'figure') return false
      // Unlike new markup, new attributes keep the selection.
      for (const [name, value] of Object.entries({ src: url, width, height }))
        tr.setNodeAttribute(at, name, value)
      return true
    })
  } finally {
    editor.off('transaction', follow)
  }
}
