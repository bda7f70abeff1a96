/** Hooks that are commands, answered by a host: what starts them, and what becomes of them when their process ends. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { isAlive } from "../../../src/state/isAlive.ts"
import { bash, dataOf, payloadOf, type Station, station } from "../../support/entrypoint.ts"
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

/** In which processes handlers ran, call by call. */
const processes = async (place: Station): Promise<readonly (number | undefined)[]> =>
  (await place.runs()).flatMap((run) => dataOf(run, "HANDLER_SUCCEEDED")).map(({ process }) => process?.pid)

describe.skipIf(!existsSync("/proc/self/comm"))("a command hook of a host", () => {
  it("is started by the starter from the second time on, in a process that stays fit for others", async () => {
    const place = await begun({
      name: "parent",
      on: "tool.before",
      run: 'read -r parent < "/proc/$PPID/comm"; echo "$parent" >&2; exit 2'
    })
    const parent = async () => {
      const { stdout } = await place.fire({ input: bash("ls") })
      return JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason as string
    }
    expect(await parent()).not.toContain("starter")
    await expect.poll(parent, { timeout: 60_000 }).toContain("starter")
    for (let nth = 0; nth < 5; nth++) expect(await parent()).toContain("starter")
    expect(new Set(await processes(place)).size).toBe(1)
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
