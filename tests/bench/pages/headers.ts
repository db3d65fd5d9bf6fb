import { apiChecks } from '#cli/check-deploy/api-checks.ts'
import { openDeploy, outcomeOf } from '#cli/check-deploy/check.ts'
import { pageChecks } from '#cli/check-deploy/page-checks.ts'
import { none, type Part } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'

/** Headers and policies of every page, held by the checks that an owner makes of a deploy. */
export const headers: Part = {
  name: 'headers',
  measure: () =>
    withHost(async ({ url }) => {
      const deploy = openDeploy(new URL(url))
      const outcomes = []
      for (const check of [...pageChecks, ...apiChecks])
        if (['headers', 'policy', 'scripts', 'API'].includes(check.name))
          outcomes.push(await outcomeOf(check, deploy))
      const home = await deploy.get('/')
      const broken = outcomes.filter(({ state }) => state !== 'kept')
      const naming = ['server', 'x-powered-by'].filter((name) => home.header(name) !== undefined)
      return {
        rows: [
          none('broken promises about headers and scripts', broken.length),
          none('headers that name software', naming.length),
        ],
        details: { outcomes },
      }
    }),
}
