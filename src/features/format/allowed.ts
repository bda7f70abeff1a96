/** Which program a formatter's command runs, and where, if it may: what the repository brings needs the user's consent. */
import { realpathSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { type Consent, mayRun } from "../../trust/mayRun.ts"
import { isProgram, programsOnPath } from "../../trust/programOnPath.ts"
import { importsFromHere, isStandIn, outside, repositoryCode } from "./repositoryCode.ts"
import { toolCode } from "./toolCode.ts"

export interface Asked {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly file: string
  readonly project: string
  /** The project's own tool, and not one that is found on the path. */
  readonly tool?: "biome" | "prettier"
}

export type Allowed =
  | { readonly program: string; readonly cwd: string }
  | { readonly missing: true }
  | { readonly refused: string }

const candidatesFor = ({ command, cwd }: Asked): readonly string[] => {
  if (isAbsolute(command)) return isProgram(command) ? [command] : []
  if (!/[\\/]/.test(command)) {
    const environment = callEnvironment()
    return programsOnPath(command, environment["PATH"] ?? environment["Path"] ?? "")
  }
  const place = resolve(cwd, command)
  return isProgram(place) ? [place] : []
}

const placeFor = (program: string, { args, command, cwd }: Asked): string =>
  isStandIn(program, realpathSync(program)) || importsFromHere(command, args) ? outside : cwd

/** Each program of that name in turn, as the path has them: one that may not run hides none that may. */
export const allowed = async (asked: Asked, consented: Consent): Promise<Allowed> => {
  const { args, command, cwd, file, project, tool } = asked
  let refused: string | undefined
  for (const program of candidatesFor(asked)) {
    const loaded =
      tool === undefined ? repositoryCode(command, args, file, project) : toolCode(tool, program, cwd, file)
    const [own] = loaded.own
    if (own !== undefined && !(await consented(loaded.own.map((one) => one.file)))) {
      refused ??= own.reason
      continue
    }
    const answer = await mayRun({ code: [program, ...loaded.code], project }, consented)
    if (answer.may) return { program, cwd: placeFor(program, asked) }
    refused ??= answer.reason
  }
  return refused === undefined ? { missing: true } : { refused }
}
