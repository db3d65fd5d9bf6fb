import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../session/session.ts'
import { notify } from './notices.tsx'

const say = (failed: string) => (error: unknown) =>
  notify({ text: sentenceOf(error, failed), tone: 'bad' })

/** Does it; what went wrong is shown as a notice. */
export const attempt = (work: () => Promise<void>, failed: string): Promise<void> =>
  work().catch(say(failed))

/** The same as a mutation, for a button that follows it. */
export const useAction = <Input = void>(work: (input: Input) => Promise<unknown>, failed: string) =>
  useMutation({ mutationFn: work, onError: say(failed) })
