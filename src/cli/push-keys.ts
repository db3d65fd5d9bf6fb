import { readArguments } from '#cli/arguments.ts'
import { run } from '#host/environment.ts'
import { newVapidKeys } from '#server/secrets/vapid.ts'

await run(async () => {
  readArguments('npm run push-keys')
  const { publicKey, privateKey } = newVapidKeys()
  console.log(`VAPID_PUBLIC_KEY=${publicKey}`)
  console.log(`VAPID_PRIVATE_KEY=${privateKey}`)
})
