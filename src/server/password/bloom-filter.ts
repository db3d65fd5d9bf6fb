import { createHash } from 'node:crypto'

/**
 * A Bloom filter: it says of a text that it is none of the list, or that it probably is one. It holds
 * bits, so that the list cannot be read out of it.
 */
interface BloomFilter {
  /** The number of bits that each text sets. */
  hashes: number
  bits: Uint8Array
}

/** The bits of a text, from two halves of its SHA-256 (Kirsch and Mitzenmacher, 2006). */
function* bitsOf(text: string, { hashes, bits }: BloomFilter): Generator<number> {
  const digest = createHash('sha256').update(text).digest()
  const [first, second] = [digest.readUInt32BE(0), (digest.readUInt32BE(4) | 1) >>> 0]
  const size = bits.length * 8
  for (let n = 0; n < hashes; n += 1) yield (first + n * second) % size
}

const mask = (bit: number): number => 1 << (bit & 7)

export const mayHold = (filter: BloomFilter, text: string): boolean => {
  for (const bit of bitsOf(text, filter))
    if (((filter.bits[bit >> 3] ?? 0) & mask(bit)) === 0) return false
  return true
}

/** They take one other text in 10,000 for one of the list. */
const BITS_PER_TEXT = 19.2

export const makeFilter = (texts: ReadonlySet<string>): BloomFilter => {
  const bits = new Uint8Array(Math.ceil((texts.size * BITS_PER_TEXT) / 8))
  const filter = { hashes: Math.round(BITS_PER_TEXT * Math.LN2), bits }
  for (const text of texts)
    for (const bit of bitsOf(text, filter)) bits[bit >> 3] = (bits[bit >> 3] ?? 0) | mask(bit)
  return filter
}
