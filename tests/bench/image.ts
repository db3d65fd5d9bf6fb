import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { informative, NotMeasurable, type Part } from './part.ts'

/** As docs/containers.md and `compose.yaml` tag it. */
const IMAGE = 'fledge'

/** The container's image, where this machine has built one. */
export const image: Part = {
  name: 'image',
  async measure() {
    const size = (await sizeBy('docker')) ?? (await sizeBy('podman'))
    if (size === undefined) throw new NotMeasurable(`there is no image named ${IMAGE}`)
    return {
      rows: [informative('the image, with its base', [size], '', megabytes)],
      details: { bytes: size },
    }
  },
}

/** As docker and podman show sizes. */
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

async function sizeBy(tool: 'docker' | 'podman'): Promise<number | undefined> {
  const inspect = ['image', 'inspect', '--format', '{{.Size}}', IMAGE]
  try {
    return Number((await promisify(execFile)(tool, inspect)).stdout)
  } catch {
    // The tool or the image is not there.
    return undefined
  }
}
