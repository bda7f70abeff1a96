/**
 * `npm run agents:latest [agent…]`: fetches the newest version of each agent, prints what of its hooks is another than what is kept in
 * `known/`, and runs the tests with real agents with it. `--pinned` takes the versions of the tests instead, `--keep` writes what was
 * found to `known/`, `--no-tests` leaves the tests out. Ends with 1 where tests fail, with 2 where something changed.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Agent, agents, type Exercised, exercised } from "../support/agents/agents.ts"
import { agentsCache, installAgents, packages, versionsVariable } from "../support/agents/install.ts"
import { differences } from "./differences.ts"
import { survey } from "./runSessions.ts"
import type { Survey } from "./Survey.ts"

const options = ["--pinned", "--keep", "--no-tests"] as const
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith("--"))
const isAsked = (option: (typeof options)[number]): boolean => words.includes(option)
const strange = words.filter((word) => ![...options, ...exercised].includes(word as Exercised))
if (strange.length > 0) {
  process.stderr.write(
    `unknown: ${strange.join(" ")}\nnpm run agents:latest -- [${options.join("] [")}] [${exercised.join("|")}…]\n`
  )
  process.exit(1)
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const newestOf = (agent: Exercised): string => {
  const { name, version } = packages[agent]
  if (isAsked("--pinned")) return version
  const { status, stderr, stdout } = spawnSync("npm", ["view", name, "version"], { encoding: "utf8" })
  if (status !== 0) throw new Error(`npm does not say what the newest ${name} is: ${stderr}`)
  return stdout.trim()
}

const isSurveyed = (agent: Exercised): agent is Agent => agents.some((one) => one === agent)

const chosen = names.length === 0 ? exercised : exercised.filter((agent) => names.includes(agent))
const versions = new Map(chosen.map((agent) => [agent, newestOf(agent)]))
process.env[versionsVariable] = [...versions].map(([agent, version]) => `${agent}=${version}`).join(",")
for (const [agent, version] of versions)
  say(
    `${agent} ${version}${version === packages[agent].version ? ", as in the tests" : `, in the tests ${packages[agent].version}`}`
  )
await installAgents(agentsCache(), chosen)
// Sessions of other homes than this machine's ask for it by name.
process.env["HOOKTAPE_TEST_AGENTS_CACHE"] = agentsCache()

let changed = 0
for (const agent of chosen.filter(isSurveyed)) {
  const file = join(import.meta.dirname, "known", `${agent}.json`)
  const found = await survey(agent, versions.get(agent) as string)
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Survey) : undefined
  const lines = known === undefined ? [] : differences(known, found)
  changed += lines.length
  say(
    `\n${agent} ${found.version}${known === undefined ? ": nothing to compare it with" : ` beside ${known.version}${lines.length === 0 ? ": no difference" : ":"}`}`
  )
  for (const line of lines) say(`  ${line}`)
  if (isAsked("--keep")) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
}

const tested = (): boolean => {
  const root = join(import.meta.dirname, "..", "..")
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
  say("")
  const { status } = spawnSync(process.execPath, [vitest, "run", "--config", "vitest.agents.config.ts"], {
    cwd: root,
    stdio: "inherit"
  })
  return status === 0
}

const holds = isAsked("--no-tests") || tested()
process.exitCode = holds ? (changed === 0 ? 0 : 2) : 1
