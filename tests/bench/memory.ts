/** What a session keeps in memory, as a user has it: every process that belongs to the state directory, a second after the last call. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { startHost } from "./host.ts"
import { makeShippedStage, makeUserStage, type Stage } from "./stage.ts"

export interface Memory {
  readonly name: string
  readonly processes: number
  /** Of what several processes have in common, each its share: megabytes. */
  readonly pssMb: number
  /** As if no other process of Node ran, whose program they would share. */
  readonly aloneMb: number
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // It ended meanwhile, or is somebody else's.
    return ""
  }
}

const programOf = (pid: string): string => {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return ""
  }
}

const kilobytes = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^${name}:\\s+(\\d+) kB`, "gm"))].reduce((sum, [, kb]) => sum + Number(kb), 0)

/** Of mappings of files everything that is there, where no other process has them; of others their share. */
const alone = (smaps: string): number =>
  smaps
    .split(/^(?=[\da-f]+-[\da-f]+ )/m)
    .reduce((sum, one) => sum + kilobytes(one, /\/node$/m.test(one.split("\n")[0] ?? "") ? "Rss" : "Pss"), 0)

/** Processes of Node that were started for this state directory. */
const processesOf = (state: string): readonly string[] =>
  readdirSync("/proc").filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      programOf(pid) === basename(process.execPath) &&
      `${textOf(`/proc/${pid}/cmdline`)}${textOf(`/proc/${pid}/environ`)}`.includes(state)
  )

const measured = (name: string, { state }: Stage): Memory => {
  const all = processesOf(state).map((pid) => textOf(`/proc/${pid}/smaps`))
  const sum = (of: (smaps: string) => number) => all.reduce((total, smaps) => total + of(smaps), 0) / 1024
  return {
    name,
    processes: all.length,
    pssMb: sum((smaps) => kilobytes(smaps, "Pss")),
    // The first has Node's program, the others only what is their own.
    aloneMb:
      sum((smaps) => kilobytes(smaps, "Pss")) +
      Math.max(0, ...all.map((one) => alone(one) - kilobytes(one, "Pss"))) / 1024
  }
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A session of an agent, so many rounds of a command and an edit, in projects in turn. */
const play = (stage: Stage, rounds: number, projects: readonly string[]): void => {
  const base = JSON.parse(stage.payload(1)) as Record<string, unknown>
  const call = (event: string, cwd: string, more: object): void => {
    spawnSync(join(stage.state, "bin", "hook"), ["claude-code", event], {
      cwd,
      env: stage.env,
      input: JSON.stringify({ ...base, cwd, hook_event_name: event, ...more })
    })
  }
  const [first = stage.project] = projects
  call("SessionStart", first, { source: "startup" })
  for (let round = 0; round < rounds; round++) {
    const cwd = projects[round % projects.length] ?? first
    if (round % 25 === 0) call("UserPromptSubmit", cwd, { prompt: `do part ${round}` })
    const command = {
      tool_name: "Bash",
      tool_input: { command: `npm test -- ${round}` },
      tool_use_id: `b${round}`
    }
    const edit = {
      tool_name: "Edit",
      tool_input: { file_path: join(cwd, "a.ts"), old_string: "a", new_string: "b" },
      tool_use_id: `e${round}`
    }
    call("PreToolUse", cwd, command)
    call("PostToolUse", cwd, { ...command, tool_response: { stdout: "ok", stderr: "", interrupted: false } })
    call("PreToolUse", cwd, edit)
    call("PostToolUse", cwd, { ...edit, tool_response: { filePath: join(cwd, "a.ts") } })
    if (round % 25 === 24) call("Stop", cwd, { stop_hook_active: false, last_assistant_message: "Done." })
  }
  call("SessionEnd", first, { reason: "exit" })
}

const withHost = async <A>(stage: Stage, use: () => Promise<A>): Promise<A> => {
  const host = await startHost(stage)
  try {
    return await use()
  } finally {
    await host.stop()
    stage.remove()
  }
}

/** Nothing where the system does not say what a process holds. */
export const measureMemory = async (rounds: number): Promise<readonly Memory[]> => {
  if (process.platform !== "linux") return []
  const shipped = makeShippedStage()
  const one = await withHost(shipped, async () => {
    play(shipped, rounds, [shipped.project])
    await rest(1000)
    return measured("shipped hooks only", shipped)
  })
  const user = makeUserStage()
  const projects = ["a", "b", "c"].map((name) => join(user.home, name))
  for (const project of projects) mkdirSync(join(project, ".git"), { recursive: true })
  const more = await withHost(user, async () => {
    play(user, Math.ceil(rounds / 3), projects)
    await rest(1000)
    const after = measured("5 hooks of the user, 3 projects", user)
    await rest(63_000)
    return [after, measured("the same a minute later", user)]
  })
  return [one, ...more]
}

const most: Readonly<Record<string, { readonly processes: number; readonly mb: number }>> = {
  "shipped hooks only": { processes: 1, mb: 110 },
  "5 hooks of the user, 3 projects": { processes: 3, mb: 190 },
  "the same a minute later": { processes: 1, mb: 110 }
}

export const memoryRow = ({ aloneMb, name, processes, pssMb }: Memory): string => {
  const budget = most[name]
  const isWithin = budget !== undefined && processes <= budget.processes && aloneMb <= budget.mb
  const verdict =
    budget === undefined ? "" : `  ${isWithin ? "within" : "OVER"} ${budget.mb} MB in ${budget.processes}`
  return `${name.padEnd(34)}${`${processes}`.padStart(3)} processes ${`${Math.round(pssMb)}`.padStart(5)} MB, alone on the machine ${Math.round(aloneMb)} MB${verdict}`
}
