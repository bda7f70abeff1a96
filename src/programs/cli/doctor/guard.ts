/** Whether the guard's settings mean what they say: a build says it once, to whoever runs it by hand. */
import { join } from "node:path"
import * as Either from "effect/Either"
import { readConfig } from "../../../state/config.ts"
import type { Config } from "../../../state/configShape.ts"
import { printable } from "../../../state/terminalText.ts"
import { guardSettingsProblems } from "../../../tools/build/guardSettings.ts"
import { type Check, warn } from "./Check.ts"

/** A configuration that cannot be read is the build's to tell. */
export const checkGuard = (userFolder: string): readonly Check[] =>
  guardSettingsProblems(
    Either.getOrElse(readConfig(join(userFolder, "config.json")), (): Config => ({})),
    userFolder
  ).map(({ file, reason, remedy }) => warn("guard", printable(reason), remedy ?? `Correct it in ${file}.`))
