/** Real agents, watched: how soon their calls are on the inspector's screen, and how soon a save is in use between their sessions. */
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import type { Browser } from "playwright-core"
import { browserProgram, openBrowser } from "../inspector/browser.ts"
import { type Agent, agents, shellTool } from "../support/agents/agents.ts"
import { type Hooktape, hooktapeIn } from "../support/agents/hooktape.ts"
import { installAgents } from "../support/agents/install.ts"
import { runAgent } from "../support/agents/runAgent.ts"
import { makeWorkspace, toolPath, type Workspace } from "../support/agents/workspace.ts"
import { hookSaying, startDev } from "./dev.ts"
import { quantile } from "./interleave.ts"
import { markedCommand, onScreen, onScreenRows, type Place } from "./onScreen.ts"
import type { Seen } from "./seen.ts"
import { guard } from "./stage.ts"

const placeOf = ({ cwd, home, tmp }: Workspace, { state }: Hooktape): Place => ({
  project: cwd,
  env: { PATH: toolPath(), HOME: home, TMPDIR: tmp, HOOKTAPE_HOME: state, HOOKTAPE_DEFAULTS: "off" }
})

/** For an agent whose hooks find a host. */
const env = { HOOKTAPE_HOST: "" }
const callsEach = 5

const watched = async (browser: Browser, agent: Agent, sessions: number): Promise<readonly Seen[]> => {
  const workspace = makeWorkspace()
  try {
    const hooktape = hooktapeIn(workspace, { "guard.ts": guard })
    hooktape.must("install", "--agent", agent, "--scope", "user")
    hooktape.must("build")
    hooktape.must("host", "start")
    const calls = sessions * callsEach
    const times = await onScreen(browser, placeOf(workspace, hooktape), calls, async () => {
      for (let first = 0; first < calls; first += callsEach) {
        const marked = Array.from({ length: callsEach }, (_, nth) => ({
          tool: shellTool[agent](markedCommand(first + nth))
        }))
        const { exitCode, stderr } = await runAgent(agent, {
          workspace,
          env,
          turns: [...marked, { text: "Done." }]
        })
        if (exitCode !== 0) throw new Error(`${agent} ended with ${exitCode}: ${stderr}`)
      }
    })
    hooktape.must("host", "stop")
    return onScreenRows(`${agent}: `, times)
  } finally {
    workspace.dispose()
  }
}

const effectMs = 1000
const saves = 10
/** Between two saves somebody reads what came of the last. */
const gapMs = 1500

/** Each save is followed at once by a real agent's session, which has to have it once its time is up; it is in use when `dev` says so. */
const saved = async (): Promise<readonly Seen[]> => {
  const agent = "claude-code"
  const workspace = makeWorkspace({ ".hooktape/hooks/says.ts": hookSaying("save 0.") })
  try {
    const hooktape = hooktapeIn(workspace)
    hooktape.must("install", "--agent", agent, "--scope", "user")
    hooktape.must("trust", "--yes")
    hooktape.must("host", "start")
    const place = placeOf(workspace, hooktape)
    const dev = await startDev(place)
    const effects: number[] = []
    let savedAt = 0
    createInterface(dev.stdout).on("line", (line) => {
      if (line.includes("in use after")) effects.push(performance.now() - savedAt)
    })
    // What it says of its own start is about no save.
    await pause(gapMs)
    effects.length = 0
    for (let save = 1; save <= saves; save++) {
      savedAt = performance.now()
      const savedOn = Date.now()
      writeFileSync(join(workspace.cwd, ".hooktape", "hooks", "says.ts"), hookSaying(`save ${save}.`))
      const { modelRequests } = await runAgent(agent, { workspace, env, turns: [{ text: "Done." }] })
      if (!JSON.stringify(modelRequests).includes(`save ${save}.`)) {
        const prompt = hooktape.calls(agent).findLast(({ event }) => event === "UserPromptSubmit")
        const after = Date.parse(prompt?.at ?? "") - savedOn
        // A session that asks sooner than a save has to be in use may have the one before.
        if (!(after < effectMs))
          throw new Error(
            `save ${save} was not in use for a prompt ${after} ms after it: dev told ${effects}`
          )
      }
      await pause(gapMs)
    }
    if (effects.length !== saves) throw new Error(`dev told ${effects.length} of ${saves} saves`)
    const ended = once(dev, "exit")
    dev.kill()
    await ended
    hooktape.must("host", "stop")
    return [
      { name: `${agent}: a save in use, p50`, is: quantile(effects, 0.5), unit: "ms" },
      { name: `${agent}: the latest of ${saves} saves`, is: quantile(effects, 1), unit: "ms", most: effectMs }
    ]
  } finally {
    workspace.dispose()
  }
}

export const measureWatched = async (sessions: number): Promise<readonly Seen[]> => {
  if (!existsSync(browserProgram)) throw new Error(`watched: there is no ${browserProgram}`)
  await installAgents()
  const browser = await openBrowser()
  try {
    const seen: Seen[] = []
    for (const agent of agents) seen.push(...(await watched(browser, agent, sessions)))
    return [...seen, ...(await saved())]
  } finally {
    await browser.close()
  }
}
