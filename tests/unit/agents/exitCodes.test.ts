/**
 * Own errors exit 0. An agent reads any other code as a broken or a blocking hook, and a terminal that keeps a tab open for
 * each command that failed piles them up, one for every hook call. Whoever wants to change that has to change it here.
 */
import { mkdtempSync, openSync, readdirSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { exitCodes } from "../../../events/exitCodes.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { probes, probeTool } from "../../../src/agents/probes.ts"
import { makeEdge } from "../../../src/runtime/Edge.ts"
import { seed } from "../../support/arbitrary.ts"
import { memoryEdge, registered, tell, type World } from "../../support/world.ts"

const failing = () => {
  throw new Error("no luck")
}

const failures: readonly (readonly [string, World])[] = [
  ["a handler that throws", { registry: registered({ a: failing }) }],
  ["a handler that ends the process", { registry: registered({ a: () => process.exit(1) }) }],
  [
    "a handler that hangs",
    { registry: registered({ a: { deadline: 5, run: () => new Promise<void>(() => {}) } }) }
  ],
  ["a payload that is none", { payload: "\0" }],
  ["no payload at all", { payload: "" }],
  ["a reader that is gone", { edge: memoryEdge([], new Error("write EPIPE")) }]
]

describe("exit codes", () => {
  it("have names, also the one that no agent here uses", () => {
    expect(exitCodes).toEqual({ success: 0, failure: 1, blocking: 2, userMessageOnly: 3 })
    const { exit: _, ...slots } = probes
    const used = agents.flatMap((agent) =>
      Object.keys(adapters[agent].events).flatMap((event) =>
        Object.values(slots).map(
          (reply) => adapters[agent].encode(event, "command", reply, probeTool).exitCode
        )
      )
    )
    expect(new Set(used)).toEqual(new Set([exitCodes.success, exitCodes.blocking]))
  })
})

describe("the exit code", () => {
  it.each(failures)(
    "is 0 after %s, so that no agent stops and no terminal piles up tabs",
    async (_, world) => {
      expect((await tell(world)).find("EXITED")).toMatchObject([{ code: 0 }])
    }
  )

  it("is 2 only where a handler blocks, or fails under a policy to block", async () => {
    const code = async (world: World) => (await tell(world)).find("EXITED")[0]?.code
    expect(await code({ registry: registered({ a: () => blockingFeedback("no") }) })).toBe(2)
    expect(await code({ registry: registered({ a: { onFailure: "block", run: failing } }) })).toBe(2)
    expect(await code({ registry: registered({ a: { onFailure: "ask", run: failing } }) })).toBe(0)
  })
})

const text = FastCheck.string({ maxLength: 20 })
const replies = FastCheck.array(
  FastCheck.record({
    stdout: text,
    stderr: text,
    exitCode: FastCheck.constantFrom(0, 2, 3),
    carried: FastCheck.constant({})
  }),
  { minLength: 1, maxLength: 6 }
)

describe("an edge that is asked again and again", () => {
  it("delivers the first reply and throws at every other, whatever they are", () => {
    const folder = mkdtempSync(join(homedir(), "edge-"))
    let turn = 0
    FastCheck.assert(
      FastCheck.property(replies, text, ([first, ...others], noise) => {
        const paths = ["stdout", "stderr"].map((name) => join(folder, `${name}-${turn}`)) as [string, string]
        turn++
        const edge = makeEdge({ stdout: openSync(paths[0], "w"), stderr: openSync(paths[1], "w") })
        if (first === undefined) throw new Error("there is always one")
        const delivery = edge.deliver(first, noise)
        for (const other of others) expect(() => edge.deliver(other, noise)).toThrow("delivered once")
        expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([first.stdout, delivery.stderr])
      }),
      { numRuns: 40, seed }
    )
  })
})

describe("the tests", () => {
  const folder = fileURLToPath(new URL("../../", import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.ts$/.test(name)
  )
  const mocks = (source: string): boolean =>
    /spyOn\(\s*process\b|stubGlobal\(\s*["']process|process\.(exit|reallyExit|abort)\s*=(?!=)|assign\(\s*process\b/.test(
      source
    )

  it("never replace process exit: where one has to end, it is a process of its own", () => {
    expect(files.length).toBeGreaterThan(80)
    const own = "unit/agents/exitCodes.test.ts"
    expect(files.filter((name) => name !== own && mocks(readFileSync(join(folder, name), "utf8")))).toEqual(
      []
    )
    expect(['vi.spyOn(process, "exit")', "process.exit = stop"].map(mocks)).toEqual([true, true])
  })

  it("say above all of them why own errors exit 0: what an agent makes of another code, and a terminal", () => {
    const [, above = ""] =
      /^\/\*\*([\s\S]*?)\*\/\nimport /.exec(readFileSync(fileURLToPath(import.meta.url), "utf8")) ?? []
    expect(above).toMatch(/Own errors exit 0\. An agent reads any other code as \w[\s\S]*\bterminal\b/)
  })

  it("of streams look at streams: what a handler is made of is not their business", () => {
    const streams = [
      "unit/runtime/edge",
      "integration/programs/delivery",
      "contract/agents/fixtures",
      "integration/runtime/handlersForReal"
    ]
    for (const name of streams)
      expect(readFileSync(join(folder, `${name}.test.ts`), "utf8")).not.toMatch(
        /from "[./]+src\/(hooks|runtime\/builds|runtime\/(runHandler|registry|isolate|outcome|watchdog))\b/
      )
  })
})
