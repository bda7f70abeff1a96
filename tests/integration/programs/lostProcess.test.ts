/** Handlers that take the process of their call with them, where no host stands between: what was decided leaves all the same. */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, dataOf, type Fired, outcomeOf, type Station } from "../../support/entrypoint.ts"
import { commandOf, endPlaces, furnished as equipped, processesAt, until } from "../../support/fire/place.ts"

afterEach(endPlaces)

interface Misdeed {
  readonly code: string
  /** What it did is undone, so that the guard after it answers; or whether that goes depends on the system. */
  readonly mended?: boolean | "perhaps"
  /** A thread cannot hold the reply against it: it takes the whole process, or what the agent reads from. */
  readonly needsClient?: true
}

/** What a handler does between one that has blocked and a guard that has not had its turn. */
const misdeeds: Readonly<Record<string, Misdeed>> = {
  "spins after its first await": {
    code: "await null; await new Promise((go) => setTimeout(go, 1)); for (;;);"
  },
  "spins in a timer of its own": { code: "setTimeout(() => { for (;;); }, 1); await new Promise(() => {})" },
  "replaces what all code stands on": {
    code: `JSON.stringify = () => ""; JSON.parse = () => ({}); Array.prototype.map = () => []; Array.prototype.flatMap = () => []
      ;(globalThis as any).Buffer = undefined; (globalThis as any).process = {}; Object.keys = () => []
      Array.prototype[Symbol.iterator] = function* () {}`,
    mended: true
  },
  "gives every object a member that cannot be set": {
    code: `for (const name of ["type", "stdout", "exitCode", "carried"])
      Object.defineProperty(Object.prototype, name, { get: () => "x", set() {}, configurable: true })`,
    mended: true
  },
  "gives every list and every object another text": {
    code: "for (const { prototype } of [Array, Object]) (prototype as any).toJSON = () => []",
    mended: true
  },
  "does that for good": {
    code: `Object.defineProperty(Object.prototype, "exitCode", { get: () => 0, set() {} })
      Object.defineProperty(JSON, "stringify", { value: () => "", writable: false, configurable: false })`
  },
  "closes the agent's descriptors": {
    code: "for (const fd of [3, 4]) try { closeSync(fd) } catch {}",
    mended: true,
    needsClient: true
  },
  "closes all descriptors": {
    code: "for (let fd = 0; fd <= 20; fd++) try { closeSync(fd) } catch {}; await new Promise((go) => setTimeout(go, 1))",
    mended: "perhaps",
    needsClient: true
  },
  "uses up all memory": {
    code: "await null; const kept: any[] = []; for (;;) kept.push(new Array(1_000_000).fill(kept))",
    needsClient: true
  },
  "kills its process": { code: 'execSync("kill -9 $PPID")', needsClient: true }
}

const decides = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "decides", on: "tool.before", priority: 1, run: () => blockingFeedback("DECIDED") })
`
const bad = (code: string) => `import { execSync } from "node:child_process"
import { closeSync } from "node:fs"
import { defineHook } from "hooktape"
export default defineHook({ name: "bad", on: "tool.before", priority: 2, run: async () => { ${code} } })
`
const guards = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guards", on: "tool.before", priority: 3, onFailure: "block", run: () => blockingFeedback("GUARDED") })
`
/** All that the agent is told, on whichever channel. */
const said = ({ stderr, stdout }: Fired): string => `${stdout}${stderr}`
const isBlocked = ({ code, stdout }: Fired): boolean => code === 2 || /"(?:deny|block)"/.test(stdout)

type Holder = "a native client" | "a thread"

const furnished = async (
  hooks: Readonly<Record<string, string>>,
  holder: Holder,
  deadlineMs = 4000
): Promise<Station> => {
  const place = await equipped({ hooks, deadlineMs })
  place.env["HOOKTAPE_HOST"] = "off"
  const bin = join(place.state, "bin")
  // As an installation is where no client was built for the machine.
  if (holder === "a thread") renameSync(join(bin, "entry"), join(bin, "hook"))
  return place
}

const cases = (["a native client", "a thread"] as const).flatMap((holder) =>
  Object.entries(misdeeds)
    .filter(([, { needsClient = false }]) => holder === "a native client" || !needsClient)
    .map(([misdeed, what]) => [misdeed, holder, what] as const)
)

describe("in process, a handler that", () => {
  describe.skipIf(!existsSync(shippedClient()))("stands between two guards", () => {
    it.each(cases)("%s, held by %s: what was decided leaves", async (_, holder, { code, mended = false }) => {
      const place = await furnished({ decides, bad: bad(code), guards }, holder)
      const fired = await place.fire({ input: bash("ls"), env: { NODE_OPTIONS: "" } })
      expect(isBlocked(fired)).toBe(true)
      expect(said(fired)).toContain("DECIDED")
      // The guard after it answers, or its policy does.
      const unheard = "hook guards was skipped: its process [^<]+\\. Its policy is to block"
      const wanted = { true: "GUARDED", false: unheard, perhaps: `GUARDED|${unheard}|hook guards failed` }[
        String(mended)
      ]
      expect(said(fired)).toMatch(new RegExp(wanted ?? ""))
      expect(said(fired)).not.toContain("<how it ended>")
      await until(() => processesAt(place).length === 0)
      const [run] = await place.runs()
      if (run === undefined) throw new Error("it is not on the log")
      expect(run.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
      expect(dataOf(run, "REPLY_DELIVERED")[0]).toMatchObject({ stderr: fired.stderr, stdout: fired.stdout })
      expect(dataOf(run, "HANDLER_SUCCEEDED").map(({ handler }) => handler)).toContain("decides")
      expect(readdirSync(join(place.state, "run")).filter((name) => name.startsWith("noise."))).toEqual([])
      expect(readdirSync(join(place.state, "spool"))).toEqual([])
    })
  })

  // As clients did before they kept the agent's streams to themselves; while versions change, one of those may start this launcher.
  it.each(["9", "300.0123456789abcdef0123456789abcdef", "200.", "200.short"])(
    "decides under a client that holds replies in another way (%s): its answer is on the streams",
    async (hold) => {
      const place = await furnished({ decides }, "a native client")
      const child = spawn(join(place.state, "bin", "entry"), ["claude-code", "PreToolUse"], {
        cwd: place.project,
        env: { ...place.env, HOOKTAPE_HOLD: hold }
      })
      child.stdin.end(bash("ls"))
      const fired = await outcomeOf(child)
      expect(isBlocked(fired)).toBe(true)
      expect(said(fired)).toContain("DECIDED")
    }
  )

  it.skipIf(!existsSync(shippedClient()))(
    "does not have its agent wait for a build that is not waited for",
    async () => {
      const place = await furnished({ decides }, "a native client")
      // Longer than a call waits, and the build goes on.
      place.putUser(
        "hooks/slow.ts",
        `import { defineHook } from "hooktape"
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8000)
export default defineHook({ name: "slow", on: "tool.before", run: () => {} })
`
      )
      const fired = await place.fire({ input: bash("ls") })
      expect(isBlocked(fired)).toBe(true)
      expect(said(fired)).toContain("the hooks changed")
      expect(processesAt(place).map(commandOf).join("\n"), "it is still built").toContain(" build ")
      await until(() => processesAt(place).length === 0)
    }
  )

  it("decides where no client is: a repository's settings cannot take its streams away", async () => {
    const place = await furnished({ decides }, "a thread")
    const env = { HOOKTAPE_HOLD: "/entry:200.0123456789abcdef0123456789abcdef" }
    const fired = await place.fire({ input: bash("ls"), env })
    expect(isBlocked(fired)).toBe(true)
    expect(said(fired)).toContain("DECIDED")
  })

  describe.skipIf(!existsSync(shippedClient()))("is never reached, or no longer", () => {
    /** Loads as it should when it is built, and never comes to its end in a call. */
    const neverLoaded = `import { defineHook } from "hooktape"
if (process.env["LOADS_FOR_EVER"] === "yes") for (;;);
export default defineHook({ name: "bad", on: "tool.before", priority: 2, onFailure: "block", run: () => {} })
`
    it.each(["a native client", "a thread"] as const)(
      "spins while its file is loaded, held by %s: the others answer, and its policy holds",
      async (holder) => {
        const place = await furnished({ decides, bad: neverLoaded, guards }, holder)
        const env = { NODE_OPTIONS: "", LOADS_FOR_EVER: "yes" }
        const fired = await place.fire({ input: bash("ls"), env })
        expect(isBlocked(fired)).toBe(true)
        expect(said(fired)).toContain("DECIDED")
        expect(said(fired)).toMatch(/hook bad failed.*did not finish loading within \d+ ms/)
        await until(() => processesAt(place).length === 0)
        const [run] = await place.runs()
        expect(run?.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
      }
    )

    /** Says that it has its turn, and waits. */
    const waits = (file: string) => `import { writeFileSync } from "node:fs"
import { defineHook } from "hooktape"
export default defineHook({ name: "bad", on: "tool.before", priority: 2, run: async () => {
  writeFileSync(${JSON.stringify(file)}, "")
  await new Promise((go) => setTimeout(go, 60_000))
} })
`
    it.each([
      ["a native client", "SIGTERM"],
      ["a native client", "SIGINT"],
      ["a thread", "SIGTERM"]
    ] as const)(
      "waits as the call is ended, held by %s, with %s: what was decided leaves",
      async (holder, signal) => {
        const place = await furnished({ decides, guards }, holder, 60_000)
        const turn = join(place.home, "turn")
        place.putUser("hooks/bad.ts", waits(turn))
        await place.build()
        const child = place.start({ input: bash("ls"), env: { NODE_OPTIONS: "" } })
        child.stdin?.end(bash("ls"))
        const fired = outcomeOf(child)
        await until(() => existsSync(turn))
        child.kill(signal)
        const done = await fired
        expect(said(done)).toContain("DECIDED")
        expect(isBlocked(done)).toBe(true)
        await until(() => processesAt(place).length === 0)
        const [run] = await place.runs()
        expect(run?.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
      }
    )
  })
})
