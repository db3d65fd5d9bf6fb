import { newVapidKeys } from '#server/secrets/vapid.ts'

const { publicKey, privateKey } = newVapidKeys()
console.log(`VAPID_PUBLIC_KEY=${publicKey}`)
console.log(`VAPID_PRIVATE_KEY=${privateKey}`)
