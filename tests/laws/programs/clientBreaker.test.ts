/** The client counts in C what the breaker's machine counts: whoever finds no host, it speaks up at the same calls, with the same number. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { afterAll, describe, expect, it } from "vitest"
import type { BreakerFact } from "../../../events/facts.ts"
import { breaker } from "../../../machines/breaker.ts"
import { evolve, start } from "../../../machines/step.ts"
import { countUnreachable, endUnreachable, failLoudThreshold } from "../../../src/log/spool/unreachable.ts"
import { breakerDrafts, endedCounts } from "../../../src/log/spool/unreachableFacts.ts"
import { holds } from "../../support/arbitrary.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const client = join(root, "src", "programs", "client")
const folder = mkdtempSync(join(tmpdir(), "breaker-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(folder, "breaker")
const compiled = spawnSync(
  "cc",
  [
    ...["-g", "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror"],
    ...["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    ...['-DHOOKTAPE_BUILD="test"', "-I", client, "-o", program],
    join(root, "tests", "support", "client", "breakerMain.c"),
    ...readdirSync(client)
      .filter((name) => name.endsWith(".c") && name !== "hook.c")
      .map((name) => join(client, name))
  ],
  { encoding: "utf8" }
)

/** A call that was handled, or one that could not be, with the threshold as its environment has it; and who noticed. */
interface Step {
  readonly by: "client" | "entrypoint"
  readonly isHandled: boolean
  readonly threshold: string | undefined
}

const threshold = FastCheck.oneof(
  { weight: 8, arbitrary: FastCheck.integer({ min: 1, max: 6 }).map(String) },
  { weight: 2, arbitrary: FastCheck.constant(undefined) },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom(
      "0",
      "00",
      "007",
      "x",
      "2x",
      " 2",
      "-1",
      "1e1",
      "999999999",
      "1000000000",
      "99999999999"
    )
  }
)

const step = FastCheck.record<Step>({
  by: FastCheck.constantFrom("client", "client", "client", "entrypoint"),
  isHandled: FastCheck.constantFrom(true, false, false, false, false, false),
  threshold
})

const envOf = ({ threshold }: Step): NodeJS.ProcessEnv =>
  threshold === undefined ? {} : { HOOKTAPE_FAIL_LOUD_THRESHOLD: threshold }

const factOf = (one: Step): BreakerFact =>
  one.isHandled
    ? { type: "HOST_REACHED" }
    : { type: "HOST_UNREACHABLE", threshold: failLoudThreshold(envOf(one)), detail: "" }

/** At each fact the number that is said; 0 where nothing is. */
const decided = (facts: readonly BreakerFact[]): readonly number[] => {
  let { snapshot } = start(breaker)
  return facts.map((fact) => {
    const next = evolve(breaker, snapshot, fact)
    snapshot = next.snapshot
    return next.command?.type === "SPEAK_UP" ? next.command.consecutive : 0
  })
}

const spoken = /^hooktape: worker unreachable for (\d+) consecutive hooks\. Run "hooktape doctor"\.\n$/

/** What the client says at each of these calls. */
const byClient = (state: string, first: number, steps: readonly Step[]): readonly number[] => {
  const words = steps.map(({ isHandled, threshold = "" }) => (isHandled ? "+" : `-${threshold}`))
  const { status, stderr, stdout } = spawnSync(program, [state, String(first), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8"
  })
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" })
  const said = stderr.split("\0").slice(0, -1)
  const counts = said.map((text) => (text === "" ? 0 : Number(spoken.exec(text)?.[1])))
  expect(stdout).toBe(counts.map((count) => (count === 0 ? "0" : "2")).join(""))
  return counts
}

const byEntrypoint = (state: string, at: number, one: Step): void => {
  const who = `${String(at).padStart(8, "0")}-0000-7000-8000-000000000000`
  if (one.isHandled) endUnreachable(state, who)
  else countUnreachable(state, who, "no-record", failLoudThreshold(envOf(one)))
}

describe("whatever calls come one after the other", () => {
  it("the client speaks up where the machine does, and the log tells the same", () => {
    expect(compiled.stderr).toBe("")
    let loud = 0
    holds(
      FastCheck.array(step, { minLength: 1, maxLength: 40 }),
      (steps) => {
        const state = mkdtempSync(join(folder, "state-"))
        for (const name of ["run", "spool"]) mkdirSync(join(state, name), { mode: 0o700 })
        const expected = decided(steps.map(factOf))
        for (let at = 0; at < steps.length; ) {
          const one = steps[at] as Step
          if (one.by === "entrypoint") {
            byEntrypoint(state, at++, one)
            continue
          }
          const end = steps.findIndex(({ by }, nth) => nth > at && by === "entrypoint")
          const those = steps.slice(at, end === -1 ? undefined : end)
          const counts = byClient(state, at, those)
          expect(counts).toEqual(expected.slice(at, at + those.length))
          loud += counts.filter((count) => count > 0).length
          at += those.length
        }
        const facts = breakerDrafts(state, endedCounts(state)).map(({ data }) => data as BreakerFact)
        const atCalls = (all: readonly BreakerFact[]) =>
          decided(all).filter((_, nth) => all[nth]?.type === "HOST_UNREACHABLE")
        expect(atCalls(facts)).toEqual(atCalls(steps.map(factOf)))
        rmSync(state, { recursive: true })
      },
      60
    )
    expect(loud).toBeGreaterThan(50)
  }, 120_000)
})
