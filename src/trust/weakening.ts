/** The environment variables that can leave an agent with fewer guards, each with how. docs/reference/environment.md has the table. */
import { about } from "../agents/about.ts"
import { functionPrefixes, type StartVariable, startVariables } from "./startVariables.ts"

interface Weakening {
  /** What becomes of the guards, for `doctor` and the hint at a session's start. */
  readonly how: string
  /** Values that do it; any value where it says nothing. */
  readonly when?: RegExp
}

/** Hooktape itself is started without them; what hooks start has the environment that the agent gave. */
const reaches = "loads code into, or keeps from starting,"
const nodes = [
  "NODE_OPTIONS",
  "NODE_CHANNEL_FD",
  "NODE_UNIQUE_ID",
  "OPENSSL_CONF",
  "OPENSSL_CONF_INCLUDE",
  "OPENSSL_MODULES",
  "OPENSSL_ENGINES"
] as const satisfies readonly StartVariable[]
const linkers = startVariables.filter((name) => /^(?:LD|DYLD)_|^GLIBC_|^GCONV_/.test(name))

export const weakening: Readonly<Record<string, Weakening>> = {
  HOOKTAPE: { how: "switches every hook off", when: /^0$/ },
  HOOKTAPE_PROBE: { how: "is how doctor's probe, which runs no hook, is known" },
  HOOKTAPE_HOST: { how: "keeps hooks from the host", when: /^off$/ },
  HOOKTAPE_FALLBACK: { how: "lets calls pass where no host answers, but those before a tool", when: /^off$/ },
  HOOKTAPE_DEFAULTS: { how: "builds without the hooks that come with hooktape", when: /^off$/ },
  HOOKTAPE_HOME: { how: "points at another state directory" },
  HOOKTAPE_FAIL_LOUD_THRESHOLD: { how: "says later, or never, that calls are handled nowhere" },
  HOOKTAPE_CALL: { how: "is set by the client for the entrypoint alone" },
  HOOKTAPE_HOLD: { how: "is set by the client or the launcher for the entrypoint alone" },
  HOOKTAPE_NOISE: { how: "is set by the launcher for the entrypoint alone" },
  HOOKTAPE_LAUNCHER: { how: "is how the entrypoint knows that its launcher started it" },
  XDG_CONFIG_HOME: { how: "points at other hooks and settings of the user" },
  XDG_STATE_HOME: { how: "points at another state directory" },
  LOCALAPPDATA: { how: "points at another state directory" },
  HOME: { how: "points at other hooks, settings and state" },
  PATH: { how: "says which programs hooks and hooktape start" },
  ...Object.fromEntries(
    Object.values(about).flatMap(({ home, title }) =>
      home === undefined ? [] : [[home, { how: `points ${title} at other settings, without its hooks` }]]
    )
  ),
  TMPDIR: {
    how: "says where anything may be deleted",
    when: /^(?!\/(tmp|var\/tmp|var\/folders|private\/(tmp|var)|dev\/shm)(\/|$))/
  },
  ...Object.fromEntries(nodes.map((name) => [name, { how: `${reaches} programs in Node that hooks start` }])),
  ...Object.fromEntries(linkers.map((name) => [name, { how: `${reaches} programs that hooks start` }])),
  BASH_ENV: { how: "is run by the shell that starts a hook" },
  ENV: { how: "is run by the shell that starts a hook", when: /[\\/]/ },
  SHELLOPTS: { how: "keeps the shell that starts a hook from running it, or has it run PS4" },
  BASHOPTS: { how: "changes what the shell that starts a hook does" },
  PS4: { how: "is run by the shell that starts a hook", when: /[`$]/ }
}

/** Read by hooktape, and without a say in which hooks run or where they are found. */
export const harmless: readonly string[] = [
  "HOOKTAPE_LOG_LEVEL",
  "HOOKTAPE_FAILURE_HINTS",
  // The pager is the person's, who looks at the log.
  "PAGER",
  "LESS",
  // Asked for where there is no TMPDIR, which every agent has.
  "TMP",
  "TEMP",
  "HOOKTAPE_SESSION_MONITOR",
  "HOOKTAPE_SESSION_MONITOR_DEEP",
  // Which database a collector keeps what machines ship in.
  "HOOKTAPE_DATABASE_URL",
  "PGHOST",
  "PGPORT",
  "PGUSER",
  "PGSSLMODE",
  "NO_COLOR",
  "TERM",
  // Read by Node as it starts, and taken away from it.
  ...startVariables.filter((name) => !Object.hasOwn(weakening, name))
]

const shellFunction: Weakening = { how: "takes the place of a program in the shell that starts a hook" }

const weakeningOf = (name: string): Weakening | undefined => {
  if (functionPrefixes.some((prefix) => name.startsWith(prefix))) return shellFunction
  return Object.hasOwn(weakening, name) ? weakening[name] : undefined
}

/** What it does with the guards; undefined where it leaves them as they are. */
export const howItWeakens = (name: string, value: string): string | undefined => {
  const found = weakeningOf(name)
  return found?.when?.test(value) === false ? undefined : found?.how
}

export const weakens = (name: string, value: string): boolean => howItWeakens(name, value) !== undefined

/** Asked about wherever they are set; the others everywhere have other uses, and only where an agent is started with them. */
export const isOwn = (name: string): boolean => name.startsWith("HOOKTAPE")
