import { expect, test } from 'vitest'
import { sampleContent, sampleState } from './samples.ts'

const files = [
  { file: 'src/content/brand.json', count: 2 },
  { file: 'src/content/testimonials.json', count: 3 },
]

test('a production build shows each sample on its pages until samples are allowed', () => {
  expect(sampleState({ CONTEXT: 'production' }, files)).toEqual({ files, shown: 5 })
  expect(sampleState({ CONTEXT: 'production', ALLOW_SAMPLE_CONTENT: '1' }, files)).toEqual({
    files,
    shown: 0,
  })
  expect(sampleState({ CONTEXT: 'production' }, [])).toEqual({ files: [], shown: 0 })
})

test('previews and local builds do not mention samples', () => {
  expect(sampleState({}, files)).toEqual({ files: [], shown: 0 })
  expect(sampleState({ CONTEXT: 'deploy-preview' }, files)).toEqual({ files: [], shown: 0 })
})

test('every sample of the content is counted, by file', () => {
  for (const { file, count } of sampleContent()) {
    expect(file).toMatch(/^src\//)
    expect(count).toBeGreaterThan(0)
  }
})
