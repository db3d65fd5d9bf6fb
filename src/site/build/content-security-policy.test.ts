import { expect, test } from 'vitest'
import { contentSecurityPolicy } from './content-security-policy.ts'

test('the policy lists each hash of inline scripts and styles once, and nothing unsafe', () => {
  const policy = contentSecurityPolicy(
    '<style>a{}</style><script>1</script><script>1</script><script src="/x.js"></script>' +
      '<script type="application/ld+json">{}</script>',
  )
  expect(policy).toContain(
    "script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=';",
  )
  expect(policy.match(/sha256-/g)).toHaveLength(2)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
})

test('an empty script, which browsers do not run, needs no hash', () => {
  expect(contentSecurityPolicy('<script></script>')).toContain("script-src 'self';")
})
