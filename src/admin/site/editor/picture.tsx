import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Editor as TextEditor } from '@tiptap/core'
import { useState } from 'react'
import { figureDrawings } from '#contract/content/rich-text.ts'
import * as desk from '#contract/desk.ts'
import { errorId, Field } from '#ui/field.tsx'
import { ask, sentenceOf } from '../../session/session.ts'

const imagesKey = ['images']

/** The picture of a figure: a drawing, an image of the site, or a new one. */
export function Picture({ editor }: { editor: TextEditor }) {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const images = useQuery({
    queryKey: imagesKey,
    queryFn: async ({ signal }) => (await ask(desk.listImages, {}, { signal })).data,
  })
  const { src, alt } = editor.getAttributes('figure') as { src: string; alt: string | null }
  const all = images.data ?? []
  const show = (chosen: string) => {
    const image = all.find(({ url }) => url === chosen)
    editor.commands.updateAttributes('figure', {
      src: chosen,
      width: image?.width ?? null,
      height: image?.height ?? null,
      ...(image && !alt?.trim() ? { alt: image.alt } : {}),
    })
  }
  const upload = async (file: File | undefined) => {
    setProblem(undefined)
    if (!file) return
    if (!alt?.trim()) return setProblem('First say below what the picture shows.')
    const body = new FormData()
    body.set('file', file)
    body.set('alt', alt)
    /** Sends the form in place of JSON; the browser writes its type. */
    const asForm: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers)
      headers.delete('Content-Type')
      return fetch(url, { ...init, headers, body })
    }
    try {
      const { data } = await ask(desk.addImage, { body: { alt } as never }, { fetch: asForm })
      const { url, width, height } = data
      editor.commands.updateAttributes('figure', { src: url, width, height })
      await client.invalidateQueries({ queryKey: imagesKey })
    } catch (error) {
      setProblem(sentenceOf(error, 'The picture was not stored.'))
    }
  }
  const isKnown = figureDrawings.some((name) => name === src) || all.some(({ url }) => url === src)
  return (
    <>
      <Field id="figure-src" label="Picture">
        <select
          id="figure-src"
          value={src}
          onChange={({ currentTarget }) => show(currentTarget.value)}
        >
          {!isKnown && <option value={src}>{src}</option>}
          {figureDrawings.map((name) => (
            <option key={name} value={name}>
              Drawing {name}
            </option>
          ))}
          {all.map((image) => (
            <option key={image.id} value={image.url}>
              {image.alt}
            </option>
          ))}
        </select>
      </Field>
      <Field id="figure-file" label="Or a new one, up to 5 MB" errors={problem ? [problem] : []}>
        <input
          id="figure-file"
          type="file"
          aria-describedby={problem && errorId('figure-file')}
          accept={desk.imageTypes.join()}
          onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
        />
      </Field>
    </>
  )
}
