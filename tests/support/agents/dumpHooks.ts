/** Shell hooks that write down what an agent gave them, in the order it did, and answer what the test wants. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Agent, nativeEvents } from "./agents.ts"
import { registerHooks, type Workspace } from "./workspace.ts"

export interface HookAnswer {
  readonly stdout?: string
  readonly stderr?: string
  readonly exitCode?: number
}

export interface Capture {
  readonly event: string
  readonly raw: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface DumpHooks {
  /** What was captured so far, in the order the hooks were started. */
  readonly captures: () => ReadonlyArray<Capture>
}

/**
 * Registers one dumping hook for each event. An answer is printed every time; a list of answers one after the other,
 * and silence once it is used up.
 */
export const dumpHooks = (
  agent: Agent,
  workspace: Workspace,
  answers: Readonly<Record<string, HookAnswer | ReadonlyArray<HookAnswer>>> = {},
  events: ReadonlyArray<string> = defaultEvents(agent)
): DumpHooks => {
  const directory = join(workspace.root, "hooks")
  const dumped = join(directory, "dumped")
  mkdirSync(dumped, { recursive: true })
  const hooks = Object.fromEntries(
    events.map((event) => {
      const path = join(directory, `${event}.sh`)
      writeFileSync(path, script(event, dumped, answers[event] ?? {}))
      return [event, `sh '${path}'`]
    })
  )
  registerHooks(agent, workspace, hooks)
  return { captures: () => readCaptures(dumped) }
}

/** A worktree hook is asked for a path and an agent fails without one: only by explicit request. */
const defaultEvents = (agent: Agent): ReadonlyArray<string> =>
  nativeEvents[agent].filter((event) => !event.startsWith("Worktree"))

const script = (event: string, dumped: string, answer: HookAnswer | ReadonlyArray<HookAnswer>): string => {
  const list = Array.isArray(answer) ? (answer as ReadonlyArray<HookAnswer>) : undefined
  const cases =
    list === undefined
      ? say(answer as HookAnswer)
      : `case $n in\n${list.map((one, i) => `${i})\n${say(one)}\n;;`).join("\n")}\nesac`
  // Directories are taken in turn: mkdir is atomic, so the numbers are the order even for hooks in parallel.
  return `n=$(cat '${dumped}'/*/event 2>/dev/null | grep -cx '${event}')
i=1000
while ! mkdir '${dumped}'/$i 2>/dev/null; do i=$((i + 1)); done
cd_was=$PWD
cd '${dumped}'/$i || exit 1
cat > payload
env -0 > env
printf '%s' "$cd_was" > cwd
printf '%s\\n' '${event}' > event
${cases}
`
}

const say = ({ exitCode = 0, stderr = "", stdout = "" }: HookAnswer): string =>
  [
    ...(stdout === "" ? [] : [`printf '%s' ${quote(stdout)}`]),
    ...(stderr === "" ? [] : [`printf '%s' ${quote(stderr)} >&2`]),
    `exit ${exitCode}`
  ].join("\n")

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const readCaptures = (dumped: string): ReadonlyArray<Capture> =>
  readdirSync(dumped)
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => join(dumped, name))
    // The event is written last: without it the hook was cut short or is still at work.
    .filter((path) => existsSync(join(path, "event")))
    .map((path) => {
      const text = (file: string) => readFileSync(join(path, file), "utf8")
      const raw = text("payload")
      const pairs = text("env")
        .split("\0")
        .filter((line) => line.includes("="))
      return {
        event: text("event").trim(),
        raw,
        payload: JSON.parse(raw) as Readonly<Record<string, unknown>>,
        env: Object.fromEntries(
          pairs.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)])
        ),
        cwd: text("cwd")
      }
    })
