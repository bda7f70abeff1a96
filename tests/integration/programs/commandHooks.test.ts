/** Hooks that are commands, answered by a host: what starts them, and what becomes of them when their process ends. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { isAlive } from "../../../src/state/isAlive.ts"
import { bash, dataOf, inTurns, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

const begun = async (external: object): Promise<Station> => {
  const place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000, external: [external] }))
  await place.build()
  await equip(place)
  host = await startHost(place)
  return place
}

it("whatever a hook in TypeScript reads beside it, no host takes its code for its own", async () => {
  const place = await station()
  const lib = join("lib", "config.json#x.json")
  const definition = { name: "x", on: "tool.before", run: "true" }
  const manifest = { definition, parts: ["true"], files: [], up: "", owned: true }
  place.putUser(lib, JSON.stringify(manifest))
  place.putUser(
    "hooks/hook.ts",
    `import about from "../lib/config.json#x.json"
import { defineHook } from "hooktape"
export default defineHook({ name: "h", on: "tool.before", run: () => void about })`
  )
  const { manifest: built } = await place.build()
  expect(Object.keys(built.events)).toContain("tool.before")
  expect(built.ours).not.toContain("tool.before")
})

/** Where handlers ran, call by call. */
const places = async (place: Station) =>
  (await place.runs()).flatMap((run) => dataOf(run, "HANDLER_SUCCEEDED")).map(({ process }) => process)

const parent = 'read -r parent < "/proc/$PPID/comm"; echo "$parent" >&2; exit 2'

const reasonOf = (stdout: string): string => JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason

describe.skipIf(!existsSync("/proc/self/comm"))("a command hook of a host", () => {
  it.each([
    ["beside the host's thread where its conditions are plain", { matcher: "Bash|Edit" }, "thread"],
    // Whose test may take for ever.
    ["beside a handler process where one is a pattern", { matcher: "^Ba" }, "handler"]
  ])("runs %s, started by the starter from the second time on", async (_, conditions, kind) => {
    const place = await begun({ name: "parent", on: "tool.before", run: parent, ...conditions })
    const reason = async () => reasonOf((await place.fire({ input: bash("ls") })).stdout)
    expect(await reason()).not.toContain("starter")
    await expect.poll(reason, { timeout: 60_000 }).toContain("starter")
    for (let nth = 0; nth < 5; nth++) expect(await reason()).toContain("starter")
    const ran = await places(place)
    expect(new Set(ran.map((where) => where?.kind))).toEqual(new Set([kind]))
    expect(new Set(ran.map((where) => where?.pid)).size).toBe(1)
    expect((await host?.status())?.processes).toBe(kind === "thread" ? 0 : 1)
  })

  it("is one of twenty at once, each answered for itself", async () => {
    const place = await begun({ name: "echo", on: "tool.before", run: "cat >&2; exit 2" })
    const commands = Array.from({ length: 20 }, (_, nth) => `echo number-${nth}-`)
    const answers = await inTurns(commands, 20, async (command) =>
      reasonOf((await place.fire({ input: bash(command) })).stdout)
    )
    for (const [nth, answer] of answers.entries()) expect(answer).toContain(`number-${nth}-`)
  })

  it("is ended at its deadline with all that it started, and its policy decides", async () => {
    const place = await begun({
      name: "waits",
      on: "tool.before",
      deadline: "2 seconds",
      onFailure: "block",
      run: 'case "$(cat)" in *stuck*) sleep 600 & echo $$ $! > "$HOOKTAPE_HOME/pids"; wait ;; esac'
    })
    for (let nth = 0; nth < 3; nth++) expect((await place.fire({ input: bash("ls") })).stdout).toBe("")
    const { stdout } = await place.fire({ input: bash("stuck") })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny")
    const pids = readFileSync(join(place.state, "pids"), "utf8").trim().split(" ").map(Number)
    expect(pids).toHaveLength(2)
    for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false)
  })

  it("does not outlive its host, however that ends", async () => {
    const place = await begun({
      name: "waits",
      on: "prompt.submit",
      deadline: "50 seconds",
      run: `case "$(cat)" in *stuck*) echo $$ > "$HOOKTAPE_HOME/pid"; exec sleep 600 ;; esac
cat "/proc/$PPID/comm"`
    })
    const prompt = (text: string) =>
      place.fire({
        event: "UserPromptSubmit",
        input: payloadOf("UserPromptSubmit", { prompt: text }),
        env: { HOOKTAPE_FALLBACK: "off" }
      })
    await expect.poll(async () => (await prompt("go")).stdout, { timeout: 60_000 }).toContain("starter")
    const fired = prompt("stuck")
    const pid = () => {
      const file = join(place.state, "pid")
      return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0
    }
    await expect.poll(pid, { timeout: 60_000 }).toBeGreaterThan(0)
    const waiting = pid()
    await host?.stop("SIGKILL")
    await expect.poll(() => isAlive(waiting), { timeout: 60_000 }).toBe(false)
    await fired
  })
})
