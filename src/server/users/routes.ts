import * as contract from '#contract/accounts/users.ts'
import { isReferenced } from '#server/db/rows.ts'
import { HttpError, invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { refuseDuplicate } from '#server/http/refuse-taken.ts'
import { type Route, type RouteOptions, route } from '#server/http/route.ts'
import * as mail from '#server/mail-out/render/account.ts'
import { staffAddresses } from '#server/mail-out/store/recipients.ts'
import { hashPassword } from '#server/password/hash.ts'
import { passwordProblem } from '#server/password/rules.ts'
import * as store from './store.ts'

const exists: RouteOptions<typeof contract.updateUser>['exists'] = async (params, { db }) =>
  (await store.findUser(db, pathId(params))) !== undefined

export const userRoutes: Route[] = [
  route(contract.listUsers, async (_call, { db }) => ({ data: await store.listUsers(db) })),

  route(contract.register, async ({ body, actor, request: { requestId } }, { db, log, config }) => {
    const { password, ...chosen } = body
    const problem = await passwordProblem(config, body)
    if (problem) throw invalidField('password', problem)
    const passwordHash = await hashPassword(password)
    const user = await store
      .createUser(db, actor, { ...chosen, passwordHash })
      .catch(refuseDuplicate(db, chosen))
    log({ level: 'info', event: 'user_created', requestId, by: actor.id, userId: user._id })
    return { user, data: user }
  }),

  route(
    contract.updateUser,
    async ({ params, body, actor, request }, deps) => {
      const { db, log, config } = deps
      const { requestId } = request
      const id = pathId(params)
      const { password, version, ...chosen } = body
      // It asks for the current password, which this call does not.
      if (password && id === actor.id)
        throw invalidField('password', 'Change your own password on your account page.')
      // The password is held against the name and address that the account will have.
      if (password) {
        const stored = orNotFound(await store.findUser(db, id))
        const { username = stored.username, email = stored.email } = chosen
        const problem = await passwordProblem(config, { username, email, password })
        if (problem) throw invalidField('password', problem)
      }
      const passwordHash = password ? await hashPassword(password) : undefined
      const notices: store.Notices = {
        ...(chosen.email && { email: mail.renderEmailChanged(chosen.email, config.siteUrl) }),
        ...(chosen.role && { role: mail.renderRoleChanged(chosen.role) }),
        ...(passwordHash && { password: mail.renderPasswordChanged(config.siteUrl) }),
      }
      const mayMail = Object.keys(notices).length > 0
      const changes = { ...chosen, passwordHash }
      const { user, fields } = await store
        .updateUser(db, actor, id, changes, {
          version,
          notices,
          team: staffAddresses(config),
        })
        .catch(refuseDuplicate(db, chosen, id))
      if (mayMail) request.afterResponse(deps.deliver())
      log({ level: 'info', event: 'user_updated', requestId, by: actor.id, userId: id, fields })
      return { data: user }
    },
    { exists },
  ),

  route(
    contract.deleteUser,
    async ({ params, actor, request: { requestId } }, { db, log, config }) => {
      const id = pathId(params)
      if (id === actor.id) throw new HttpError('conflict', 'You cannot delete your own account.')
      const attempt = () => store.deleteUser(db, actor, id, staffAddresses(config))
      // A talk that was booked while the deletion waited for the account: the next one counts it.
      await attempt().catch((error) => (isReferenced(error) ? attempt() : Promise.reject(error)))
      log({ level: 'info', event: 'user_deleted', requestId, by: actor.id, userId: id })
      return { data: {} }
    },
  ),

  route(contract.endUserSessions, async ({ params, actor, request }, { db, log }) => {
    const id = pathId(params)
    const ended = orNotFound(await store.endUserSessions(db, actor, id))
    const { requestId } = request
    log({ level: 'info', event: 'sessions_ended', requestId, by: actor.id, userId: id, ended })
    return { data: { ended } }
  }),
]
