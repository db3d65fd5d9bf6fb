import { expect, test } from 'vitest'
import { newPostgres } from '#server/db/testing.ts'
import { faults } from './all.ts'

const newDatabase = async (state: 'migrated' | 'blank') => (await newPostgres(state)).url

for (const { promise, run } of faults.filter(({ isQuick }) => isQuick))
  test(promise, async () => {
    const broken: unknown[] = []
    await run(
      (sentence, isKept, found) => {
        if (!isKept) broken.push({ sentence, found })
      },
      { newDatabase },
    )
    expect(broken).toEqual([])
  })
