/** Which epoch of this installation a collector is sent: raised where the log went on from an earlier state than was shipped. */
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { writeWhole } from "../../state/files.ts"
import { readPrivate } from "../../state/state.ts"

const Epoch = Schema.parseJson(Schema.Struct({ epoch: Schema.Int.pipe(Schema.positive()) }))

const epochFile = (state: string, name: string): string => join(state, "ship", `${name}.epoch`)

/** Throws where the file is not one of ours. */
export const readEpoch = (state: string, name: string): number => {
  const text = readPrivate(epochFile(state, name))?.toString()
  return text === undefined ? 1 : Schema.decodeUnknownSync(Epoch)(text).epoch
}

export const keepEpoch = (state: string, name: string, epoch: number): void =>
  writeWhole(epochFile(state, name), Schema.encodeSync(Epoch)({ epoch }))
