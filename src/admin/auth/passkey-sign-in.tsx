import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#client/call.ts'
import type { SignedIn } from '#contract/accounts/auth.ts'
import { passkeySignIn, passkeySignInOptions } from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import {
  answerByAutofill,
  answerWithPasskey,
  canOfferPasskeys,
  canUsePasskeys,
  endCeremony,
  PasskeyPlace,
  passkeySentence,
} from '../session/passkeys.tsx'
import { deviceId, patienceMs } from '../session/session.ts'
import type { Problem } from './auth-page.tsx'
import styles from './login.module.css'

/** Before the challenge of a waiting autofill ends, it is asked with a new one. */
const RENEW_MS = (limits.challengeMinutes - 1) * 60_000

const signInBy = async (answer: typeof answerWithPasskey): Promise<SignedIn> => {
  const { data } = await call(passkeySignInOptions, {}, { timeoutMs: patienceMs })
  const response = await answer(data.options)
  const body = { challenge: data.challenge, response, device: deviceId() }
  return call(passkeySignIn, { body }, { timeoutMs: patienceMs })
}

interface Props {
  onSignedIn: (answer: SignedIn) => Promise<void>
  onProblem: (problem: Problem | null) => void
}

/** Signs in with a passkey: picked from the autofill of the e-mail field, or by the button. */
export function PasskeySignIn({ onSignedIn, onProblem }: Props) {
  const [waiting, setWaiting] = useState(false)
  const finish = useEffectEvent(onSignedIn)
  const tell = useEffectEvent(onProblem)
  const isAsked = useEffectEvent(() => waiting)
  const isShown = useRef(true)

  useEffect(() => {
    let isGone = false
    isShown.current = true
    const offer = async () => {
      let isPicked = false
      try {
        if (!(await canOfferPasskeys()) || isGone) return
        const answer = await signInBy(async (options) => {
          // A late challenge would cancel a prompt that was opened meanwhile.
          if (isGone || isAsked()) throw new Error('No longer offered')
          const picked = await answerByAutofill(options)
          isPicked = true
          return picked
        })
        if (!isGone) await finish(answer)
      } catch (error) {
        // Until a passkey is picked, a failure needs no message: the button and the password still work.
        if (isPicked && !isGone) tell({ text: passkeySentence(error) })
      }
    }
    void offer()
    const timer = setInterval(() => {
      // A new offer would cancel the prompt that the button has opened.
      if (document.visibilityState === 'visible' && !isAsked()) void offer()
    }, RENEW_MS)
    return () => {
      isGone = true
      isShown.current = false
      clearInterval(timer)
      endCeremony()
    }
  }, [])

  const signIn = async () => {
    onProblem(null)
    setWaiting(true)
    try {
      const answer = await signInBy((options) => {
        // Another way has signed in while the options were on their way.
        if (!isShown.current) throw new Error('No longer asked for')
        return answerWithPasskey(options)
      })
      await onSignedIn(answer)
    } catch (error) {
      if (isShown.current) onProblem({ text: passkeySentence(error) })
    } finally {
      setWaiting(false)
    }
  }

  return (
    <>
      {canUsePasskeys() && (
        <Button
          look="line"
          className={styles.passkey}
          busy={waiting && 'Waiting...'}
          onClick={() => void signIn()}
        >
          Use a passkey
        </Button>
      )}
      <PasskeyPlace />
    </>
  )
}
