import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../session/session.ts'
import { notify } from './notices.tsx'

/** A call that a button makes; what went wrong is shown as a notice. */
export const useAction = <Input = void>(work: (input: Input) => Promise<unknown>, failed: string) =>
  useMutation({
    mutationFn: work,
    onError: (error) => notify({ text: sentenceOf(error, failed), tone: 'bad' }),
  })
