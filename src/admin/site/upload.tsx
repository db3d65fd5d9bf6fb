import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as desk from '#contract/desk.ts'
import { errorId, Field } from '#ui/field.tsx'
import { ask, sentenceOf } from '../session/session.ts'

/** The pictures that were uploaded. */
export const imagesQuery = queryOptions({
  queryKey: ['images'],
  queryFn: async ({ signal }) => (await ask(desk.listImages, {}, { signal })).data,
})

/** A field for a new picture, which `alt` describes. */
export function Upload({
  id,
  label,
  alt,
  onStored,
}: {
  id: string
  label: string
  alt: string
  onStored: (image: desk.Image) => void
}) {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const upload = async (file: File | undefined) => {
    setProblem(undefined)
    if (!file) return
    if (!alt.trim()) return setProblem('First say below what the picture shows.')
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
      onStored((await ask(desk.addImage, { body: { alt } as never }, { fetch: asForm })).data)
      await client.invalidateQueries(imagesQuery)
    } catch (error) {
      setProblem(sentenceOf(error, 'The picture was not stored.'))
    }
  }
  return (
    <Field id={id} label={label} errors={problem ? [problem] : []}>
      <input
        id={id}
        type="file"
        aria-describedby={problem && errorId(id)}
        accept={desk.imageTypes.join()}
        onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
      />
    </Field>
  )
}
