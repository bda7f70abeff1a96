/** The environment of a call that brought none: the host's own, without what belongs to the session that started it. */
import type { Environment } from "../../runtime/host/wireProtocol.ts"
import { knownIn, starterOf } from "./startersEnvironment.ts"

const ofSession =
  /^(CLAUDECODE|CLAUDE_(PROJECT_DIR|PID|ENV_FILE|EFFORT|PLUGIN_.*|CODE_(SESSION_ID|ENTRYPOINT|CHILD_SESSION|REMOTE))|CODEX_THREAD_ID|GEMINI_(SESSION_ID|PROJECT_DIR|CWD)|HOOKTAPE_(CALL|HOLD|LAUNCHER|NOISE|PROBE)|PWD|OLDPWD)$/

/** As the host was started: settings that change later are those of other calls. */
const startedBy = starterOf(process.env)

export const environmentFor = (cwd: string, host: NodeJS.ProcessEnv, starter = startedBy): Environment => {
  const own = knownIn(cwd, host, starter)
  const all = (): Record<string, string> => {
    const kept = Object.entries(own).filter(([name, value]) => value !== undefined && !ofSession.test(name))
    return Object.fromEntries([...kept, ["PWD", cwd]]) as Record<string, string>
  }
  return { get: (name) => (ofSession.test(name) ? undefined : own[name]), all }
}
