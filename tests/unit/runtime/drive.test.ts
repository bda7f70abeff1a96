/** The loop between facts and commands. */
import { describe, expect, it } from "@effect/vitest"
import * as Micro from "effect/Micro"
import { assign, setup } from "xstate"
import { type Machine, stateOf } from "../../../machines/step.ts"
import { drive } from "../../../src/runtime/drive.ts"

type Fact =
  | { readonly type: "BEGUN" }
  | { readonly type: "STEPPED"; readonly n: number }
  | { readonly type: "ENDED" }
type Command = { readonly type: "WORK"; readonly n: number }

/** Works three times, then ends. */
const counting: Machine<Fact, Command> = {
  id: "counting",
  definition: setup({
    types: {} as { context: { n: number }; events: Fact },
    actions: { command: (_, _command: Command) => {}, count: assign(({ context }) => ({ n: context.n + 1 })) }
  }).createMachine({
    initial: "working",
    context: { n: 0 },
    states: {
      working: {
        on: {
          BEGUN: {
            actions: ["count", { type: "command", params: ({ context }) => ({ type: "WORK", n: context.n }) }]
          },
          STEPPED: {
            actions: ["count", { type: "command", params: ({ context }) => ({ type: "WORK", n: context.n }) }]
          },
          ENDED: { target: "ended", actions: { type: "command", params: { type: "WORK", n: -1 } } }
        }
      },
      ended: { type: "final" }
    }
  })
}

const begun: Fact = { type: "BEGUN" }

/** Everything that happens, in order. */
const observed = (interpret: (command: Command) => readonly Fact[]) => {
  const seen: string[] = []
  const driver = {
    record: (fact: Fact) => Micro.sync(() => void seen.push(`record ${fact.type}`)),
    interpret: (command: Command) =>
      Micro.sync(() => {
        seen.push(`interpret ${command.n}`)
        return interpret(command)
      }),
    refused: (fact: Fact) => void seen.push(`refused ${fact.type}`)
  }
  return { seen, run: () => Micro.runPromiseExit(drive(counting, driver, begun)) }
}

describe("the drive loop", () => {
  it("records each fact before it acts on it", async () => {
    const { seen, run } = observed(({ n }) => (n < 3 ? [{ type: "STEPPED", n }] : [{ type: "ENDED" }]))
    await run()
    expect(seen).toEqual([
      "record BEGUN",
      "interpret 1",
      "record STEPPED",
      "interpret 2",
      "record STEPPED",
      "interpret 3",
      "record ENDED"
    ])
  })

  it("stops at a final state, even when its last fact asked for more", async () => {
    const { seen, run } = observed(() => [{ type: "ENDED" }])
    const exit = await run()
    expect(exit._tag === "Success" && stateOf(exit.value)).toBe("ended")
    expect(seen.filter((line) => line.startsWith("interpret"))).toEqual(["interpret 1"])
  })

  it("records all facts of one command before it acts on the one that asks for something", async () => {
    const { seen, run } = observed(({ n }) =>
      n === 1
        ? [{ type: "COFFEE_BREWED" } as never, { type: "STEPPED", n }, { type: "COFFEE_BREWED" } as never]
        : []
    )
    await run()
    expect(seen).toEqual([
      "record BEGUN",
      "interpret 1",
      "record COFFEE_BREWED",
      "refused COFFEE_BREWED",
      "record STEPPED",
      "record COFFEE_BREWED",
      "refused COFFEE_BREWED",
      "interpret 2"
    ])
  })

  it("loses no command: two at once are a defect, not a choice", async () => {
    const exit = await observed(({ n }) =>
      n === 1
        ? [
            { type: "STEPPED", n },
            { type: "STEPPED", n }
          ]
        : []
    ).run()
    expect(exit._tag).toBe("Failure")
    expect(exit._tag === "Failure" && String(exit.cause)).toContain("two commands at once")
  })

  it("ends where nothing more is asked for", async () => {
    const { seen, run } = observed(() => [{ type: "COFFEE_BREWED" } as never])
    const exit = await run()
    expect(exit._tag === "Success" && stateOf(exit.value)).toBe("working")
    expect(seen.at(-1)).toBe("refused COFFEE_BREWED")
  })

  it("does not act on what could not be recorded", async () => {
    const acted: string[] = []
    const exit = await Micro.runPromiseExit(
      drive(
        counting,
        {
          record: (fact) => (fact.type === "STEPPED" ? Micro.die(new Error("the log is gone")) : Micro.void),
          interpret: ({ n }) =>
            Micro.sync(() => {
              acted.push(`work ${n}`)
              return [{ type: "STEPPED", n }]
            })
        },
        begun
      )
    )
    expect(acted).toEqual(["work 1"])
    expect(exit._tag === "Failure" && String(exit.cause)).toContain("the log is gone")
  })

  it("records nothing more once it is interrupted", async () => {
    const recorded: string[] = []
    let reached = () => {}
    const waiting = new Promise<void>((resolve) => {
      reached = resolve
    })
    let resume: (facts: readonly Fact[]) => void = () => {}
    const fiber = Micro.runFork(
      drive(
        counting,
        {
          record: (fact) => Micro.sync(() => void recorded.push(fact.type)),
          interpret: () =>
            Micro.async<readonly Fact[]>((done) => {
              resume = (facts) => done(Micro.succeed(facts))
              reached()
            })
        },
        begun
      )
    )
    await waiting
    await Micro.runPromise(Micro.fiberInterrupt(fiber))
    resume([{ type: "STEPPED", n: 1 }])
    const exit = await Micro.runPromise(Micro.fiberAwait(fiber))
    expect([recorded, exit._tag]).toEqual([["BEGUN"], "Failure"])
  })

  it("drives ten thousand steps without growing the stack", async () => {
    const exit = await observed(({ n }) =>
      n < 10_000 ? [{ type: "STEPPED", n }] : [{ type: "ENDED" }]
    ).run()
    expect(exit._tag === "Success" && stateOf(exit.value)).toBe("ended")
  })
})
