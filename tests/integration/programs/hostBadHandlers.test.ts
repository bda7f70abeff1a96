/** Handlers that would take a host with them: the next call is answered as if they had not been, and nothing of them runs on. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { isAlive } from "../../../src/state/isAlive.ts"
import { bash, dataOf, type Station } from "../../support/entrypoint.ts"
import { answers, answerTo, tally } from "../../support/fire/calls.ts"
import {
  commandOf,
  endPlaces,
  furnished,
  nothing,
  processesAt,
  remains,
  until
} from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

/** What a handler does until it is ended, and what is told of it. */
const late = /did not finish within 1000 ms/
const acts: Readonly<
  Record<
    string,
    {
      readonly code: string
      readonly told: RegExp
      readonly stays?: boolean
      /** It ends by what it does, however slow the machine is: the deadline only ends what hangs. */
      readonly ends?: boolean
    }
  >
> = {
  spins: { code: "for (;;);", told: late },
  // Whichever comes first.
  allocates: {
    code: "const kept = []; for (;;) kept.push(new Array(5_000_000).fill(kept.length))",
    told: /ran out of memory|did not finish within 1000 ms/
  },
  exits: { code: "process.exit(0)", told: /called process\.exit\(0\)/, stays: true, ends: true },
  floods: {
    code: 'for (let nth = 0; nth < 40; nth++) process.stdout.write("x".repeat(1000000)); for (;;);',
    told: late
  },
  sleeps: { code: 'execSync("sleep 6000")', told: late },
  sleepsAside: {
    code: 'spawn("sleep", ["6001"], { stdio: "inherit" }); return new Promise(() => {})',
    told: late
  },
  kills: {
    code: 'execSync("kill -9 $PPID; sleep 6002")',
    told: /its process was ended by SIGKILL/,
    ends: true
  }
}

const bad = (deadline: string) => `import { execSync, spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { defineHook } from "hooktape"
const acts: any = { ${Object.entries(acts)
  .map(([name, { code }]) => `${name}: () => { ${code} }`)
  .join(",\n")} }
export default defineHook({ name: "bad", on: "tool.before", priority: 10, deadline: "${deadline}", when: { command: /^act / }, run: ({ tool }) => {
  appendFileSync(process.env["HOME"] + "/pids", process.pid + "\\n")
  return acts[tool.command.slice(4)]()
} })
`

/** A file that was made just now may be empty yet. */
const pids = ({ home }: Station): readonly number[] => {
  const file = join(home, "pids")
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []
  return lines.filter((line) => line !== "").map(Number)
}

const lastRun = async (place: Station, id: string) => {
  const run = (await place.runs()).find((one) => dataOf(one, "PAYLOAD_BUFFERED")[0]?.toolUseId === id)
  if (!run) throw new Error(`${id} is not on the log`)
  return run
}

describe.skipIf(!existsSync(shippedClient()))("through client and host, a handler that", () => {
  it.each(Object.entries(acts))(
    "%s: the next call is answered, and nothing of it is left",
    async (act, { ends, stays, told }) => {
      const place = await furnished({ hooks: { answers, bad: bad(ends ? "50 seconds" : "1 second") } })
      // Whether the human is told of it is asked elsewhere.
      place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
      const host = await startHost(place)
      const fired = await place.fire({ input: bash(`act ${act}`, { tool_use_id: act }) })
      // The hook after it has its say all the same.
      expect({ ...fired, stderr: "" }).toMatchObject({ code: 0, stdout: answerTo(act) })
      expect(fired.stderr).toMatch(/^hooktape [^\n]*hook bad [^\n]*\n$/)
      expect(fired.stderr).toMatch(told)
      const next = await place.fire({ input: bash("ls", { tool_use_id: "next" }) })
      expect(next).toMatchObject({ code: 0, stdout: answerTo("next"), stderr: "" })

      const [handler = 0] = pids(place)
      if (stays !== true) await until(() => !isAlive(handler))
      await until(() => !processesAt(place).some((pid) => commandOf(pid).startsWith("sleep ")))
      expect((await host.status()).pid).toBe(host.child.pid)
      for (const id of [act, "next"]) {
        const run = await lastRun(place, id)
        expect(dataOf(run, "INVOCATION_OPENED")[0]?.transport).toBe("socket")
        expect(run.types.at(-1)).toBe("EXITED")
      }
      expect(await host.stop()).toEqual({ code: 0, signal: null })
      await until(async () => (await remains(place)).processes.length === 0)
      expect(await remains(place)).toEqual(nothing)
      expect(readdirSync(join(place.state, "run")).filter((name) => name.startsWith("noise."))).toEqual([])
    }
  )
})

const spinning = `import { diagnostic, defineHook } from "hooktape"
export default defineHook({ name: "spinning", on: "tool.before", priority: 10, deadline: "1 second", run: () => {
  console.log("before it spun")
  console.error("said aside")
  for (;;);
}, onError: (error) => diagnostic("info", "about: " + error.message) })
`

/** None has a deadline of its own: what the call has left is shared. */
const spinsOn = `import { defineHook } from "hooktape"
export default defineHook({ name: "spinsOn", on: "tool.before", priority: 10, run: () => { for (;;); } })
`
const guardAfter = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guardAfter", on: "tool.before", priority: 20, onFailure: "block", run: async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return blockingFeedback("not that")
} })
`

describe.skipIf(!existsSync(shippedClient()))("a handler that spins", () => {
  it("leaves a guard after it the time to say its word", async () => {
    const place = await furnished({ hooks: { spinsOn, guardAfter }, deadlineMs: 5000 })
    place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
    const host = await startHost(place)
    const fired = await place.fire({ input: bash("ls", { tool_use_id: "guarded" }) })
    expect(JSON.parse(fired.stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "not that" }
    })
    const run = await lastRun(place, "guarded")
    expect(dataOf(run, "HANDLER_SUCCEEDED")).toMatchObject([{ handler: "guardAfter" }])
    expect(await host.stop()).toEqual({ code: 0, signal: null })
  })

  it("has its hook's word on that, and what it wrote is kept", async () => {
    const place = await furnished({ hooks: { answers, spinning } })
    place.env["HOOKTAPE_FAILURE_HINTS"] = "off"
    const host = await startHost(place)
    const fired = await place.fire({ input: bash("ls", { tool_use_id: "spun" }) })
    expect(fired).toMatchObject({ code: 0, stdout: answerTo("spun") })
    const run = await lastRun(place, "spun")
    expect(dataOf(run, "HANDLER_TIMED_OUT")).toMatchObject([
      {
        handler: "spinning",
        deadlineMs: 1000,
        intents: [
          { type: "DIAGNOSTIC", message: expect.stringContaining("about: did not finish within 1000 ms") }
        ]
      }
    ])
    expect(dataOf(run, "NOISE_CAPTURED")).toMatchObject([
      { handler: "spinning", stream: "stdout", text: "before it spun\n" },
      { handler: "spinning", stream: "stderr", text: "said aside\n" }
    ])
    expect(await host.stop()).toEqual({ code: 0, signal: null })
  })
})

/** What all code of a process stands on, changed by one call. */
const poison = `import { defineHook } from "hooktape"
export default defineHook({ name: "poison", on: "tool.before", priority: 900, when: { command: "poison" }, run: () => {
  (Object.prototype as any).type = "x"
  Array.prototype.map = () => []
  JSON.stringify = () => "{}"
} })
`

describe.skipIf(!existsSync(shippedClient()))("a handler that changes what JavaScript is made of", () => {
  it("has changed it for its own call only", async () => {
    const place = await furnished({ hooks: { answers, poison } })
    const host = await startHost(place)
    expect((await place.fire({ input: bash("poison", { tool_use_id: "first" }) })).code).toBe(0)
    for (const id of ["one", "two", "three"]) {
      const next = await place.fire({ input: bash("ls", { tool_use_id: id }) })
      expect(next).toMatchObject({ code: 0, stdout: answerTo(id), stderr: "" })
    }
    expect(await host.stop()).toEqual({ code: 0, signal: null })
  })
})

/** One call starts what prints when the file `go` is there, another one blocks. */
const leaves = `import { spawn } from "node:child_process"
import { blockingFeedback, defineHook } from "hooktape"
const prints = 'until [ -e "$HOME/go" ]; do sleep 0.05; done; echo late >&2; : >"$HOME/printed"'
export default defineHook({ name: "leaves", on: "tool.before", run: ({ tool }) => {
  if (tool?.command === "blocks") return blockingFeedback("because")
  spawn("/bin/sh", ["-c", prints], { detached: true, stdio: "inherit" }).unref()
} })
`

/** Why the tool is not to run, as Claude Code is told. */
const reasonOf = ({ stdout }: { readonly stdout: string }): string =>
  JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason

describe.skipIf(!existsSync(shippedClient()) || !existsSync(`/proc/self/task/${process.pid}/children`))(
  "what a handler left running",
  () => {
    it("prints into no other call", async () => {
      const place = await furnished({ hooks: { leaves } })
      const host = await startHost(place)
      expect((await place.fire({ input: bash("ls") })).code).toBe(0)
      writeFileSync(join(place.home, "go"), "")
      await until(() => existsSync(join(place.home, "printed")))
      const fired = await place.fire({ input: bash("blocks") })
      expect(reasonOf(fired)).toBe("because")
      expect(fired.stdout + fired.stderr).not.toContain("late")
      expect(await host.stop()).toEqual({ code: 0, signal: null })
    })
  }
)

/** Says which call it is, and ends its process in one of them. */
const dies = `import { execSync } from "node:child_process"
import { defineHook } from "hooktape"
export default defineHook({ name: "dies", on: "tool.before", run: ({ tool }) => {
  console.error(tool?.command)
  if (tool?.command === "last") execSync("kill -9 $PPID")
} })
`

describe.skipIf(!existsSync(shippedClient()))("the last words of a handler's process", () => {
  it("are those of the call in which it ended", async () => {
    const place = await furnished({ hooks: { dies } })
    const host = await startHost(place)
    for (const command of ["first", "last"])
      expect((await place.fire({ input: bash(command, { tool_use_id: command }) })).code).toBe(0)
    const heard = async (id: string) =>
      dataOf(await lastRun(place, id), "NOISE_CAPTURED").map(({ text }) => text)
    expect([await heard("first"), await heard("last")]).toEqual([["first\n"], ["last\n"]])
    expect(await host.stop()).toEqual({ code: 0, signal: null })
  })
})

/** Never returns, before a guard that has something to say. */
const before = `import { defineHook } from "hooktape"
export default defineHook({ name: "before", on: "tool.before", priority: 1, run: () => new Promise(() => {}) })
`
const idles = (name: string) => `import { defineHook } from "hooktape"
export default defineHook({ name: "${name}", on: "tool.before", run: () => {} })
`
const guards = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guards", on: "tool.before", priority: 2, run: () => blockingFeedback("because") })
`

describe.skipIf(!existsSync(shippedClient()))(
  "a handler that never returns, and has all the time there is",
  () => {
    it("keeps no guard after it from its say", async () => {
      const place = await furnished({
        // Time is kept for each of them: the guard, which comes first, has enough on any machine.
        hooks: { before, guards, x: idles("x"), y: idles("y"), z: idles("z") },
        deadlineMs: 5000
      })
      const host = await startHost(place)
      const fired = await place.fire({ input: bash("ls") })
      expect(reasonOf(fired)).toBe("because")
      expect(await host.stop()).toEqual({ code: 0, signal: null })
    })
  }
)

/** The first call of a place is held up for good, the entrypoint's for it is not. */
const held = (how: string) => `import { execSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { defineHook } from "hooktape"
export default defineHook({ name: "held", on: "tool.before", priority: 10, run: () => {
  const mark = process.env["HOME"] + "/pids"
  if (existsSync(mark)) return
  writeFileSync(mark, process.pid + "\\n")
  ${how}
} })
`

describe.skipIf(!existsSync(shippedClient()))("a handler that a killed host leaves behind", () => {
  it.each([
    ["spins", "for (;;);"],
    ["waits for a child", 'execSync("sleep 6003")'],
    ["waits for nothing", "return new Promise(() => {})"]
  ])(
    "ends by itself with all it started where it %s, and its call is answered in process",
    async (_, how) => {
      const place = await furnished({ hooks: { answers, held: held(how) } })
      const host = await startHost(place)
      const began = performance.now()
      const firing = place.fire({ input: bash("ls", { tool_use_id: "held" }) })
      await until(() => pids(place).length > 0)
      const [handler = 0] = pids(place)
      await host.stop("SIGKILL")
      const fired = await firing
      expect(fired).toMatchObject({ code: 0, stdout: answerTo("held"), stderr: "" })
      await until(() => !isAlive(handler))
      await until(() => !processesAt(place).some((pid) => commandOf(pid).startsWith("sleep ")))
      const figures = tally(await place.runs(), [{ id: "held", fired, ms: performance.now() - began }])
      expect(figures).toMatchObject({
        missing: [],
        twice: [],
        otherwise: [],
        replaced: { begun: 1, ended: 0 },
        byEntry: 1
      })
    }
  )
})
