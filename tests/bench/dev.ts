/** How soon a save under `hooktape dev` is in use, and what a call costs while it builds. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { startHost } from "./host.ts"
import { quantile } from "./interleave.ts"
import type { Seen } from "./seen.ts"
import { makeStage, type Stage } from "./stage.ts"

const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js")

/** A hook that tells the model so at each prompt. */
export const hookSaying = (word: string): string => `import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "says", on: "prompt.submit", run: () => modelContext("${word}") })
`

/** Asks as an agent does when its human has written something: no work of the agent's, so that saves are the human's. */
const ask = ({ env, project, state }: Stage): Promise<{ readonly said: string; readonly ms: number }> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(join(state, "bin", "hook"), ["claude-code", "UserPromptSubmit"], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "ignore"]
    })
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
    })
    child.once("error", reject)
    child.once("close", () => resolve({ said, ms: performance.now() - began }))
    const payload = {
      session_id: "s-1",
      transcript_path: "",
      hook_event_name: "UserPromptSubmit",
      prompt: "go on"
    }
    child.stdin.end(JSON.stringify({ ...payload, cwd: project }))
  })

/** Watching, with saves that count as trusted. */
export const startDev = ({
  env,
  project
}: Pick<Stage, "env" | "project">): Promise<ChildProcessByStdio<null, Readable, Readable>> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, "dev", "--trust-saves"], {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.includes("watching")) resolve(child)
    })
    child.once("exit", (code) => reject(new Error(`dev ended with ${code}`)))
  })

const effectMs = 1000
/** What a call takes while it builds, against what it takes beside anything else that keeps one core busy. */
const mostRatio = 1.1
/** Between two saves somebody reads what came of the last. */
const gapMs = 1500
const quietCalls = 20
/** An agent's calls come one after the other, with its own work between them. */
const betweenMs = 50

const calls = async (stage: Stage): Promise<readonly number[]> => {
  const took: number[] = []
  for (let nth = 0; nth < quietCalls; nth++) {
    took.push((await ask(stage)).ms)
    await pause(betweenMs)
  }
  return took
}

/** A core less, taken by a process that has nothing to do with hooks: a machine's own share of what a build costs. */
const besideWork = async (stage: Stage): Promise<readonly number[]> => {
  const work = spawn(
    process.execPath,
    ["-e", "for (const until = Date.now() + 60_000; Date.now() < until; );"],
    {
      stdio: "ignore"
    }
  )
  const ended = once(work, "exit")
  try {
    return await calls(stage)
  } finally {
    work.kill()
    await ended
  }
}

/** Each save of a project's hook is followed by calls, one after the other, until one is answered by what was saved. */
export const measureDev = async (saves: number): Promise<readonly Seen[]> => {
  const stage = makeStage()
  const file = join(stage.project, ".hooktape", "hooks", "says.ts")
  for (const folder of [dirname(file), join(stage.project, ".git")]) mkdirSync(folder, { recursive: true })
  writeFileSync(file, hookSaying("save 0."))
  spawnSync(process.execPath, [cli, "trust", "--yes"], { cwd: stage.project, env: stage.env })
  const host = await startHost(stage)
  const dev = await startDev(stage).catch(async (error: unknown) => {
    await host.stop()
    stage.remove()
    throw error
  })
  dev.stdout.resume()
  try {
    while (!(await ask(stage)).said.includes("save 0.")) await pause(20)
    const effects: number[] = []
    const during: number[] = []
    const quiet: number[] = []
    const beside: number[] = []
    for (let save = 1; save <= saves; save++) {
      await pause(gapMs)
      quiet.push(...(await calls(stage)))
      beside.push(...(await besideWork(stage)))
      writeFileSync(file, hookSaying(`save ${save}.`))
      const began = performance.now()
      for (;;) {
        const { said, ms } = await ask(stage)
        during.push(ms)
        if (said.includes(`save ${save}.`)) break
        await pause(betweenMs)
      }
      effects.push(performance.now() - began)
    }
    return [
      { name: "save in use, p50", is: quantile(effects, 0.5), unit: "ms" },
      { name: `the latest of ${saves} saves`, is: quantile(effects, 1), unit: "ms", most: effectMs },
      { name: "a call, else, p50", is: quantile(quiet, 0.5), unit: "ms" },
      { name: "a call while it builds, p50", is: quantile(during, 0.5), unit: "ms" },
      { name: "a call while one core is busy otherwise, p50", is: quantile(beside, 0.5), unit: "ms" },
      {
        name: "while it builds, against a call else",
        is: quantile(during, 0.5) / quantile(quiet, 0.5),
        unit: "×"
      },
      {
        name: "while it builds, against a busy core",
        is: quantile(during, 0.5) / quantile(beside, 0.5),
        unit: "×",
        most: mostRatio
      }
    ]
  } finally {
    const ended = once(dev, "exit")
    dev.kill()
    await ended
    await host.stop()
    stage.remove()
  }
}
