/** The command line of a model: which one is there, and how it is asked. */
import { type Consent, mayRun } from "../../trust/mayRun.ts"
import { withoutLoaders } from "../../trust/plainEnvironment.ts"
import { programsOnPath } from "../../trust/programOnPath.ts"

export interface ModelCommand {
  readonly path: string
  readonly args: readonly string[]
}

/** The prompt comes on standard input, the answer on standard output. */
const known: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["claude", ["-p"]],
  ["codex", ["exec", "--skip-git-repo-check", "-"]],
  ["gemini", []]
]

export interface ModelCommandAsked {
  readonly configured: readonly string[]
  /** The path of the session; its agent's settings may have put folders of the project on it. */
  readonly path: string
  readonly project: string
}

const nobody: Consent = () => false

/** The configured one, else the first of those known that is on the path. What the project brings is passed over. */
export const findModelCommand = async ({
  configured,
  path,
  project
}: ModelCommandAsked): Promise<ModelCommand | undefined> => {
  const wanted = configured[0] === undefined ? known : [[configured[0], configured.slice(1)] as const]
  for (const [name, args] of wanted) {
    for (const found of programsOnPath(name, path))
      if ((await mayRun({ code: [found], project }, nobody)).may) return { path: found, args }
  }
  return undefined
}

/** Neither may it start the monitor that asks it, nor any other hook, nor load what a variable of the session names. */
export const environmentOfModel = { HOOKTAPE: "0", ...withoutLoaders } as const
