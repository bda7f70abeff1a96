/** The commands and their options; `usage.ts` has the words for them. What a command needs is loaded when it is called. */
import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import { isValidationError, type ValidationError } from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CliError, Finished } from "./CliError.ts"
import { unstyled } from "./render/style.ts"
import { Screen, type ScreenShape } from "./Screen.ts"
import { isCommand, valuesOf } from "./usage.ts"
import { version } from "./version.ts"

type Work = Effect.Effect<unknown, unknown, Screen>

/** Loads a command's module and runs it. Its number is the exit code. */
const lazily = <M>(load: () => Promise<M>, work: (module: M) => Work): Effect.Effect<void, unknown, Screen> =>
  Effect.promise(load).pipe(
    Effect.flatMap(work),
    Effect.flatMap((code) =>
      typeof code === "number" && code !== 0 ? Effect.fail(new Finished({ code })) : Effect.void
    )
  )

const flag = (name: string) => Options.boolean(name)

const text = (name: string) => Options.text(name).pipe(Options.optional, Options.map(Option.getOrUndefined))

const json = flag("json")
const project = text("project")
const agents = ["claude-code", "codex", "gemini-cli", "cursor", "windsurf"] as const
const ref = Args.text({ name: "ref" })

const registering = {
  agent: Options.choice("agent", agents),
  scope: Options.choice("scope", ["user", "project", "local"] as const).pipe(
    Options.withDefault("user" as const)
  ),
  dryRun: flag("dry-run")
}

const init = Command.make("init", { project }, (options) =>
  lazily(
    () => import("./commands/init.ts"),
    (command) => command.init(options)
  )
)

const trust = Command.make("trust", { project }, (options) =>
  lazily(
    () => import("./commands/trust.ts"),
    (command) => command.trust(options)
  )
)

const build = Command.make(
  "build",
  {
    project,
    user: flag("user"),
    quiet: flag("quiet")
  },
  (options) =>
    lazily(
      () => import("./commands/build.ts"),
      (command) => command.build(options)
    )
)

const install = Command.make(
  "install",
  {
    ...registering,
    events: text("events")
  },
  (options) =>
    lazily(
      () => import("./commands/install.ts"),
      (command) => command.install(options)
    )
)

const uninstall = Command.make("uninstall", registering, (options) =>
  lazily(
    () => import("./commands/install.ts"),
    (command) => command.uninstall(options)
  )
)

const doctor = Command.make("doctor", { json }, (options) =>
  lazily(
    () => import("./commands/doctor.ts"),
    (command) => command.doctor(options)
  )
)

const runHook = Command.make(
  "run",
  {
    agent: Args.text({ name: "agent" }),
    agentEvent: Args.text({ name: "event" })
  },
  (options) =>
    lazily(
      () => import("./commands/run.ts"),
      (command) => command.runHook(options)
    )
)

const test = Command.make(
  "test",
  {
    fixtures: Args.text({ name: "fixture" }).pipe(Args.repeated),
    update: flag("update"),
    json,
    project
  },
  (options) =>
    lazily(
      () => import("./commands/test.ts"),
      (command) => command.test(options)
    )
)

const log = Command.make(
  "log",
  {
    session: text("session"),
    invocation: text("invocation"),
    type: text("type"),
    event: text("event"),
    agent: text("agent"),
    project: text("project"),
    since: text("since"),
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    follow: flag("follow"),
    json: flag("json")
  },
  (options) =>
    lazily(
      () => import("./commands/log.ts"),
      (command) => command.log(options)
    )
)

const show = Command.make("show", { ref, json }, (options) =>
  lazily(
    () => import("./commands/show.ts"),
    (command) => command.show(options)
  )
)

const replay = Command.make(
  "replay",
  {
    ref: Args.optional(ref).pipe(Args.map(Option.getOrUndefined)),
    since: text("since"),
    all: flag("all"),
    with: text("with"),
    json
  },
  (options) =>
    lazily(
      () => import("./commands/replay.ts"),
      (command) => command.replay(options)
    )
)

const delivery = Command.make("delivery", {}, () =>
  lazily(
    () => import("./commands/docs.ts"),
    (command) => command.delivery
  )
)

const docs = Command.make("docs").pipe(Command.withSubcommands([delivery]))

export const root = Command.make("hooktape").pipe(
  Command.withSubcommands([
    init,
    trust,
    build,
    install,
    uninstall,
    doctor,
    runHook,
    test,
    log,
    show,
    replay,
    docs
  ])
)

const runParsed = Command.run(root, { name: "hooktape", version })

/** The library prints by console; here it goes the way of all output, and a usage error is told by whoever ends the process. */
const printingOn = (screen: ScreenShape) => {
  const styled = screen.style.strong("x") !== "x"
  const print = (...words: readonly unknown[]) => {
    const line = words.join(" ")
    return screen.out(`${styled ? line : unstyled(line)}\n`)
  }
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Console.consoleWith((original) =>
      Effect.withConsole(effect, { ...original, log: print, error: () => Effect.void })
    )
}

const usageError = (error: ValidationError, argv: readonly string[]): CliError => {
  const command = isCommand(argv[2]) ? argv[2] : undefined
  const told = unstyled(HelpDoc.toAnsiText(error.error)).replaceAll(/\s+/g, " ").trim()
  const missing = /^Expected to find option: '(--[a-z-]+)'$/.exec(told)?.[1]
  const values = missing === undefined ? [] : valuesOf(missing)
  const known = values.length === 0 ? "" : `: one of ${values.join(", ")}`
  return new CliError({
    what: "usage",
    reason: missing === undefined ? told : `${missing} is missing${known}`,
    remedy: `See "hooktape ${command === undefined ? "" : `${command} `}--help".`
  })
}

/** Succeeds with 0; every other end is a failure. */
export const run = (argv: readonly string[], screen: ScreenShape): Effect.Effect<number, unknown> =>
  runParsed(argv).pipe(
    Effect.as(0),
    Effect.mapError((error) => (isValidationError(error) ? usageError(error, argv) : error)),
    Effect.provideService(Screen, screen),
    Effect.provide(
      Layer.mergeAll(
        CliConfig.layer({ showBuiltIns: false }),
        NodeFileSystem.layer,
        NodePath.layer,
        NodeTerminal.layer
      )
    ),
    printingOn(screen)
  )
