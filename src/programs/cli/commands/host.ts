/** `hooktape host start|stop|status`: the warm process behind the hooks, for those who want to see to it themselves. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { bytes, count } from "../../../features/timeline/words.ts"
import { fileIs, isNewer } from "../../../log/tablesOf.ts"
import { hostStatus } from "../../../runtime/host/askHost.ts"
import type { HostStatus } from "../../../runtime/host/requests.ts"
import { ofNewer } from "../../../state/newerFile.ts"
import { hostStart } from "../../../state/startedFiles.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { Screen } from "../Screen.ts"
import { stopHost } from "../stopHost.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { json as jsonOption } from "../syntax/shared.ts"

const tell = (status: HostStatus): string =>
  [
    `  process    ${status.pid}, since ${status.startedAt}`,
    `  build      ${status.build}`,
    `  calls      ${status.served} answered, ${status.underway} underway`,
    `  handlers   ${count(status.processes, "process", "processes")}`,
    `  memory     ${bytes(status.memory)}`,
    ...(status.port === null ? [] : [`  http       127.0.0.1:${status.port}`]),
    ...Object.entries(status.parts ?? {}).map(
      ([name, state], at) => `  ${at === 0 ? "parts" : "     "}      ${name}: ${printable(state)}`
    )
  ]
    .map((line) => `${line}\n`)
    .join("")

const every = Schedule.spaced("25 millis")

/** Detached, with nothing of ours held open: it lives on when this command has ended. */
const launch = (state: string) =>
  Effect.async<void, CliError>((resume) => {
    const child = spawn(...hostStart(state), {
      stdio: "ignore",
      detached: true,
      windowsHide: true
    })
    child.once("error", (cause) =>
      resume(
        Effect.fail(
          new CliError({
            what: "the host cannot be started",
            reason: cause.message,
            remedy: 'Run "hooktape doctor".',
            cause
          })
        )
      )
    )
    child.once("spawn", () => {
      child.unref()
      resume(Effect.void)
    })
  })

const neverCame = (state: string) => {
  const [program, args] = hostStart(state)
  return new CliError({
    what: "the host did not come up",
    reason: "it does not answer after 10 s",
    remedy: `Look into ${join(state, "logs")}, or start it in the foreground: ${[program, ...args].join(" ")}`
  })
}

const cannotServe = (reason: string) =>
  new CliError({
    what: "the host is not started",
    reason,
    remedy: "Until then hooks are answered without it, each call in a process of its own."
  })

const start = Effect.fn("cli.host.start")(function* () {
  const screen = yield* Screen
  const { state } = findPlaces()
  yield* prepareState(state)
  const there = yield* Effect.option(hostStatus(state))
  if (there._tag === "Some") return yield* screen.out(`a host is running\n${tell(there.value)}`)
  const log = join(state, "log.sqlite")
  // It would end at once, and say why into its own log: nobody need wait for that.
  if (fileIs(log, isNewer)) return yield* cannotServe(ofNewer(log))
  yield* launch(state)
  const status = yield* hostStatus(state).pipe(
    Effect.retry(every),
    Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => neverCame(state) })
  )
  return yield* screen.out(`${screen.style.good("✔")} the host is running\n${tell(status)}`)
})

const stop = Effect.fn("cli.host.stop")(function* () {
  const screen = yield* Screen
  const { state } = findPlaces()
  if (!(yield* stopHost(state))) return yield* screen.out("no host is running\n")
  return yield* screen.out(`${screen.style.good("✔")} the host has stopped\n`)
})

/** The one that runs, where one does and answers. */
export const hostNow = (state: string): Effect.Effect<HostStatus | undefined> =>
  Effect.orElseSucceed(hostStatus(state), () => undefined)

/** Exit code 1 when none is running, for scripts. */
const status = Effect.fn("cli.host.status")(function* ({ json }: { readonly json: boolean }) {
  const screen = yield* Screen
  const { state } = findPlaces()
  const found = yield* Effect.either(hostStatus(state))
  if (found._tag === "Right") {
    yield* screen.out(json ? `${JSON.stringify({ running: true, ...found.right })}\n` : tell(found.right))
    return 0
  }
  const { reason, detail } = found.left
  yield* screen.out(
    json
      ? `${JSON.stringify({ running: false, reason, detail })}\n`
      : reason === "absent"
        ? "no host is running; the next hook starts one\n"
        : `a host is there and does not answer: ${detail}\n`
  )
  return 1
})

export const command = defineGroup({
  group: "Look after",
  summary: "Start, stop or look at the warm process that answers hooks.",
  heading: "start|stop|status",
  examples: ["hooktape host status --json"],
  subcommands: {
    start: defineAction({
      summary: "Start the host and wait until it answers. Hooks start it by themselves.",
      examples: ["hooktape host start"],
      guards: "keeps",
      run: start
    }),
    stop: defineAction({
      summary: "Let it finish what it has, and end it.",
      examples: ["hooktape host stop"],
      guards: "keeps",
      run: stop
    }),
    status: defineAction({
      summary: "Whether one runs, and how it does. Exit code 1 when none does.",
      options: { json: jsonOption() },
      examples: ["hooktape host status"],
      guards: "keeps",
      run: status
    })
  }
})
