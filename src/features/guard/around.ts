/** What a program of another language finds around it, as far as the line that starts it and its own text say. */
import { type Call, textsOf } from "./Call.ts"
import { unknown } from "./script.ts"
import { valuesOf } from "./shellState.ts"

export interface Around {
  /** It works where it was started. */
  readonly isHere: boolean
  /** It lies where it was started: it has no file. */
  readonly hasNoFile: boolean
  /** Where temporary files go, where that can be told. */
  readonly temporary: string | undefined
}

/** It goes elsewhere, or gives one of the names that ask for a directory to something else. */
const moves = /chdir|\bcd\b|\b(?:get)?cwd\s?=(?!=)[^;\n]{0,40}(?:=>|lambda|function)|\bdef\s+getcwd/i
const ownIsSet = /\b__dirname\s?=(?!=)/
/** It says itself where temporary files go. */
const temporaryIsSet =
  /\b(?:TMPDIR|TMP|TEMP)\b|tempdir\s?=(?!=)|\btmpdir\s?=(?!=)\s?(?:\(|function)|\bdef\s+gettempdir/

const temporaryOf = (program: string, { state }: Call): string | undefined => {
  if (temporaryIsSet.test(program) || state.variables.has("TMP") || state.variables.has("TEMP"))
    return undefined
  const values = valuesOf(state, "TMPDIR") ?? []
  const value = values[0] || "/tmp"
  return values.length > 1 || !value.startsWith("/") || value.includes(unknown) ? undefined : value
}

export const aroundOf = (program: string, call: Call): Around => ({
  isHere: call.state.cwd !== undefined && !moves.test(program),
  hasNoFile: !ownIsSet.test(program) && textsOf(call.args).some((text) => text.includes(program)),
  temporary: temporaryOf(program, call)
})
