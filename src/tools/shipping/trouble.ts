/** Why a sink does not get its facts at the moment: left by the host for whoever asks. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { writeWhole } from "../../state/files.ts"
import { readPrivate } from "../../state/state.ts"

const Trouble = Schema.parseJson(Schema.Struct({ at: Schema.Number, error: Schema.String }))
export type Trouble = typeof Trouble.Type

const troubleFile = (state: string, name: string): string => join(state, "ship", `${name}.json`)

export const keepTrouble = (state: string, name: string, trouble: Trouble | undefined): void =>
  trouble === undefined
    ? rmSync(troubleFile(state, name), { force: true })
    : writeWhole(troubleFile(state, name), Schema.encodeSync(Trouble)(trouble))

/** Throws where the file is not one of ours. */
export const readTrouble = (state: string, name: string): Trouble | undefined => {
  const text = readPrivate(troubleFile(state, name))?.toString()
  return text === undefined ? undefined : Schema.decodeUnknownSync(Trouble)(text)
}
