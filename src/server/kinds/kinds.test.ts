import { expect, test } from 'vitest'
import { submissions } from '#contract/privacy/rules.ts'
import { kinds } from './kinds.ts'

test('every field that is stored about a person has a purpose that the privacy page names', () => {
  for (const { path, fields } of kinds)
    expect(Object.keys(submissions[path].fields).sort()).toEqual([...fields].sort())
})
