/** Why a notification is sent: what came, or that half of the promised time has passed. */
export const pushReasons = ['submission', 'reply', 'half', 'test'] as const
export type PushReason = (typeof pushReasons)[number]
