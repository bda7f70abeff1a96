/** Which program a formatter's command runs, and where, if it may: what the repository brings needs the user's consent. */
import { realpathSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { withDependencies } from "../../trust/installedPackages.ts"
import { type Consent, mayRun } from "../../trust/mayRun.ts"
import { isProgram, programsOnPath } from "../../trust/programOnPath.ts"
import { configurationContent } from "./configurationContent.ts"
import type { OwnCode } from "./prettierCode.ts"
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
  /** `byContent`: to which `hooktape trust` takes consent. */
  | { readonly refused: string; readonly byContent?: true }

/** Consent given once for everything that any repository brings, and consent to one content. */
export interface Consents {
  readonly all: Consent
  readonly content: (digest: string) => boolean
}

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

type Own = { readonly packages: readonly string[] } | { readonly refused: string; readonly byContent?: true }

/** Whether each configuration that is code was consented to as it is, and which installed packages it names. */
const ownCode = async (own: readonly OwnCode[], { all, content }: Consents): Promise<Own> => {
  const packages: string[] = []
  for (const one of own) {
    const { file, reason } = one
    const found = configurationContent(one)
    if (!("unsure" in found) && content(found.digest)) packages.push(...found.packages)
    else if (!(await all([file])))
      return "unsure" in found
        ? { refused: `${reason}, and ${found.unsure}` }
        : { refused: reason, byContent: true }
  }
  return { packages }
}

/** Each program of that name in turn, as the path has them: one that may not run hides none that may. */
export const allowed = async (asked: Asked, consents: Consents): Promise<Allowed> => {
  const { args, command, cwd, file, project, tool } = asked
  let refused: Extract<Allowed, { readonly refused: string }> | undefined
  for (const program of candidatesFor(asked)) {
    const loaded =
      tool === undefined ? repositoryCode(command, args, file, project) : toolCode(tool, program, cwd, file)
    const own = await ownCode(loaded.own, consents)
    if ("refused" in own) {
      refused ??= own
      continue
    }
    const code = [...new Set([program, ...loaded.code, ...withDependencies(own.packages)])]
    const answer = await mayRun({ code, project }, consents.all)
    if (answer.may) return { program, cwd: placeFor(program, asked) }
    refused ??= { refused: answer.reason }
  }
  return refused ?? { missing: true }
}
