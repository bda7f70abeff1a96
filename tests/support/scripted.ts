/** Drives an invocation by a script instead of by the world: every command has the outcome that the script names. */
import * as Micro from "effect/Micro"
import type { AnyMachineSnapshot } from "xstate"
import type { InvocationFact } from "../../events/facts.ts"
import { type InvocationCommand, invocation } from "../../machines/invocation.ts"
import { drive } from "../../src/runtime/drive.ts"
import type { Script } from "./arbitrary.ts"
import * as fact from "./facts.ts"

export interface Played {
  readonly log: readonly InvocationFact[]
  readonly executed: readonly InvocationCommand[]
  readonly refused: readonly InvocationFact[]
  readonly end: AnyMachineSnapshot
}

export const handlersOf = (script: Script) =>
  script.handlers.map(({ policy }, index) =>
    fact.plannedHandler(`handler ${index}`, index, { onFailure: policy })
  )

/** The facts that carry out a command. */
const outcomeOf = (script: Script, command: InvocationCommand): readonly InvocationFact[] => {
  switch (command.type) {
    case "BUFFER":
      return [script.rejected ? fact.rejected("malformed") : fact.buffered()]
    case "PLAN":
      return [fact.planned(handlersOf(script))]
    case "START_HANDLER": {
      const skips = script.handlers[command.planned.index]?.fate.kind === "is skipped"
      return [skips ? fact.skipped(command.planned) : fact.started(command.planned, command.attempt)]
    }
    case "RUN_HANDLER": {
      const { planned } = command
      const { fate, noise = "" } = script.handlers[planned.index] ?? {}
      const heard = noise === "" ? [] : [fact.noise("stderr", noise, planned.handler)]
      if (fate?.kind === "succeeds") return [...heard, fact.succeeded(planned, fate.intents, fate.patch)]
      return [...heard, fate?.kind === "fails" ? fact.failed(planned) : fact.timedOut(planned)]
    }
    case "DELIVER":
      return [script.readerGone ? fact.undelivered(script.exitCode) : fact.delivered(script.exitCode)]
    case "EXIT":
      return [fact.exited(command.code)]
  }
}

export const play = (script: Script): Played => {
  const log: InvocationFact[] = []
  const executed: InvocationCommand[] = []
  const refused: InvocationFact[] = []
  const end = Micro.runSync(
    drive(
      invocation,
      {
        record: (recorded) => Micro.sync(() => void log.push(recorded)),
        interpret: (command) =>
          Micro.sync(() => {
            executed.push(command)
            return outcomeOf(script, command)
          }),
        refused: (dropped) => void refused.push(dropped)
      },
      fact.opened()
    )
  )
  return { log, executed, refused, end }
}
