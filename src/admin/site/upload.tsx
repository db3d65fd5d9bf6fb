import { useState } from 'react'
import * as desk from '#contract/content/desk.ts'
import { errorId, Field, hintId } from '#ui/field.tsx'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { markOf } from './mark.ts'

export const imagesQuery = dataQuery(['images'], desk.listImages, {})

/** The choices among uploaded pictures. The chosen one is called as its document describes it: another upload of the same file renames it in the list. */
export const namesOfImages = (images: readonly desk.Image[], chosen: string, alt: string) =>
  images.map((image) => [image.url, (image.url === chosen && alt.trim()) || image.alt] as const)

/** To one digit, upwards: 5.1 for a byte over 5. */
const inMegabytes = (bytes: number): number => Math.ceil((bytes / 1_048_576) * 10) / 10

interface UploadProps {
  id: string
  label: string
  alt: string
  onUpload: (stored: Promise<desk.Image>) => Promise<void>
}

/** A field for a new picture, which `alt` describes. `onUpload` begins when the file is chosen. */
export function Upload({ id, label, alt, onUpload }: UploadProps) {
  const [problem, setProblem] = useState<string>()
  const isNamed = alt.trim() !== ''
  const upload = async (file: File | undefined) => {
    setProblem(undefined)
    if (!file) return
    if (file.size > desk.MAX_IMAGE_BYTES)
      return setProblem(`This picture has ${inMegabytes(file.size)} MB; 5 MB is the most.`)
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
      const answer = ask(desk.addImage, { body: { alt } as never }, { fetch: asForm })
      await onUpload(answer.then(({ data }) => data))
      await queryClient.invalidateQueries(imagesQuery)
    } catch (error) {
      setProblem(sentenceOf(error, 'The picture was not stored.'))
    }
  }
  return (
    <Field
      id={id}
      label={label}
      hint={isNamed ? undefined : 'First say in words what the picture shows.'}
      errors={problem ? [problem] : []}
    >
      <input
        id={id}
        type="file"
        disabled={!isNamed}
        aria-describedby={isNamed ? problem && errorId(id) : hintId(id)}
        accept={desk.imageTypes.join()}
        onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
      />
    </Field>
  )
}

export function MarkFile({ id, onRead }: { id: string; onRead: (mark: string) => void }) {
  const [problem, setProblem] = useState<string>()
  const read = async (file: File | undefined) => {
    setProblem(undefined)
    try {
      if (file) onRead(markOf(await file.text()))
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Field id={id} label="From an SVG file" errors={problem ? [problem] : []}>
      <input
        id={id}
        type="file"
        accept="image/svg+xml"
        aria-describedby={problem && errorId(id)}
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
      />
    </Field>
  )
}
