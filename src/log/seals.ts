/**
 * The hash chain of the log. Facts that were appended together are sealed: under the installation's key, with the seal before
 * them, so that no fact can be changed, taken out or put in without every later seal being made anew. What retention, `forget`
 * and a repair take away leaves an anchor on its batch: the seal stays, so that the chain goes on, and what is left is vouched for
 * by itself.
 */
import { createHmac } from "node:crypto"

/** Of a row: all that a seal speaks of; the sum stands for the rest. */
export interface SealedRow {
  readonly position: number
  readonly sum: number
}

export interface Batch {
  readonly first: number
  readonly last: number
}

/** A batch as the log keeps it. */
export interface Sealed extends Batch {
  /** How many are there; fewer than positions where some were taken away. */
  readonly facts: number
  readonly seal: Buffer
  readonly anchor: Buffer | null
}

/** Before the first batch. */
export const noSeal: Buffer = Buffer.alloc(16)

const label = "hooktape log seal"

/** Of this use alone. */
export const sealKey = (installation: Buffer): Buffer =>
  createHmac("sha256", installation).update(label).digest()

/** Tells keys apart, and nothing about them. */
export const keyName = (key: Buffer): string =>
  createHmac("sha256", key).update("name").digest("hex").slice(0, 16)

const perRow = 12

const sixteenBytes = (key: Buffer, bytes: Buffer): Buffer =>
  createHmac("sha256", key).update(bytes).digest().subarray(0, 16)

const encoded = (
  kind: 1 | 2,
  before: Buffer,
  seal: Buffer,
  { first, last }: Batch,
  rows: readonly SealedRow[]
): Buffer => {
  const bytes = Buffer.allocUnsafe(52 + rows.length * perRow)
  bytes.writeInt32LE(kind, 0)
  before.copy(bytes, 4)
  seal.copy(bytes, 20)
  bytes.writeDoubleLE(first, 36)
  bytes.writeDoubleLE(last, 44)
  let at = 52
  for (const { position, sum } of rows) {
    bytes.writeDoubleLE(position, at)
    bytes.writeInt32LE(sum, at + 8)
    at += perRow
  }
  return bytes
}

/** `before`: the seal of the batch before. */
export const sealOf = (key: Buffer, before: Buffer, batch: Batch, rows: readonly SealedRow[]): Buffer =>
  sixteenBytes(key, encoded(1, before, noSeal, batch, rows))

/** Vouches for what is left of a batch that was shortened or redacted. */
export const anchorOf = (
  key: Buffer,
  before: Buffer,
  seal: Buffer,
  batch: Batch,
  rows: readonly SealedRow[]
): Buffer => sixteenBytes(key, encoded(2, before, seal, batch, rows))
