/** Where a command works: the state, the user's own hooks, the project. */
import { isAbsolute, join, resolve } from "node:path"
import { findProject } from "../../state/project.ts"
import { stateDirectory, userHome } from "../../state/state.ts"

export interface Places {
  readonly state: string
  /** Where the log lies that is asked: with the state, but where another was named. */
  readonly logState: string
  /** `hooks/` and `config.json` of the user lie in it. */
  readonly userFolder: string
  readonly home: string
  readonly cwd: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
}

let chosen: string | undefined

/** From now on this is the log that commands ask. */
export const chooseLogState = (directory: string): void => {
  chosen = directory
}

export const userFolderOf = (env: NodeJS.ProcessEnv, home: string): string => {
  const config = env["XDG_CONFIG_HOME"]
  return join(config !== undefined && isAbsolute(config) ? config : join(home, ".config"), "hooktape")
}

export const findPlaces = (project?: string, env: NodeJS.ProcessEnv = process.env): Places => {
  const cwd = process.cwd()
  const home = userHome(env)
  const state = stateDirectory(env)
  return {
    state,
    logState: chosen ?? state,
    userFolder: userFolderOf(env, home),
    home,
    cwd,
    project: project === undefined ? findProject(cwd) : resolve(cwd, project),
    env
  }
}
