/** The commands and their options; `usage.ts` has the words for them. What a command needs is loaded when it is called. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { Finished } from "./CliError.ts"
import { chainStates } from "./chainStates.ts"
import { type Guards, keepsGuards, refusedBeneathAgent, weakensGuards } from "./guards.ts"
import { jobStates } from "./jobStates.ts"
import type { Screen } from "./Screen.ts"

type Needs = Screen | BeneathAgent
type Work = Effect.Effect<unknown, unknown, Needs>

/**
 * Loads a command's module and runs it. Its number is the exit code. `guards`: what the command does to them; one that weakens
 * them is refused beneath an agent before anything is loaded.
 */
const lazily = <M>(
  guards: Guards,
  load: () => Promise<M>,
  work: (module: M) => Work
): Effect.Effect<void, unknown, Needs> =>
  Effect.zipRight(refusedBeneathAgent(guards), Effect.promise(load)).pipe(
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
    keepsGuards,
    () => import("./commands/init.ts"),
    (command) => command.init(options)
  )
)

const trustList = Command.make("list", { json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/trusted.ts"),
    (command) => command.list(options)
  )
)

const trustRevoke = Command.make(
  "revoke",
  { digest: Args.text({ name: "digest" }), yes: flag("yes") },
  (options) =>
    lazily(
      weakensGuards("trust revoke"),
      () => import("./commands/trusted.ts"),
      (command) => command.revoke(options)
    )
)

const trust = Command.make("trust", { project, yes: flag("yes"), again: text("again") }, (options) =>
  lazily(
    weakensGuards("trust"),
    () => import("./commands/trust.ts"),
    (command) => command.trust(options)
  )
).pipe(Command.withSubcommands([trustList, trustRevoke]))

const build = Command.make(
  "build",
  {
    project,
    user: flag("user"),
    all: flag("all"),
    quiet: flag("quiet")
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/build.ts"),
      (command) => command.build(options)
    )
)

const install = Command.make(
  "install",
  {
    ...registering,
    events: text("events"),
    transport: Options.choice("transport", ["auto", "command", "http"] as const).pipe(
      Options.withDefault("auto" as const)
    )
  },
  (options) =>
    lazily(
      weakensGuards("install", () =>
        Effect.flatMap(
          Effect.promise(() => import("./takesAway.ts")),
          ({ takesAway }) => takesAway(options)
        )
      ),
      () => import("./commands/install.ts"),
      (command) => command.install(options)
    )
)

const uninstall = Command.make("uninstall", registering, (options) =>
  lazily(
    options.dryRun ? keepsGuards : weakensGuards("uninstall"),
    () => import("./commands/install.ts"),
    (command) => command.uninstall(options)
  )
)

const doctor = Command.make("doctor", { json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/doctor.ts"),
    (command) => command.doctor(options)
  )
)

const importing = Command.make(
  "import",
  {
    words: Args.text({ name: "agent or path" }).pipe(Args.repeated),
    since: text("since"),
    project,
    dryRun: flag("dry-run"),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/import.ts"),
      (command) => command.importTranscripts(options)
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
      keepsGuards,
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
      keepsGuards,
      () => import("./commands/test.ts"),
      (command) => command.test(options)
    )
)

const explain = Command.make(
  "explain",
  {
    command: Args.text({ name: "command" }).pipe(Args.optional, Args.map(Option.getOrUndefined)),
    cwd: text("cwd"),
    project,
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/explain.ts"),
      (command) => command.explain(options)
    )
)

const logVerify = Command.make("verify", { json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/logVerify.ts"),
    (command) => command.verify(options)
  )
)

const logRepair = Command.make("repair", { json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/logRepair.ts"),
    (command) => command.repair(options)
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
    hook: text("hook"),
    grep: text("grep"),
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    failed: flag("failed"),
    blocked: flag("blocked"),
    all: flag("all"),
    calls: flag("calls"),
    facts: flag("facts"),
    follow: flag("follow"),
    json: flag("json")
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/log.ts"),
      (command) => command.log(options)
    )
).pipe(Command.withSubcommands([logVerify, logRepair]))

const show = Command.make("show", { ref, raw: flag("raw"), json }, (options) =>
  lazily(
    keepsGuards,
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
    break: flag("break"),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/replay.ts"),
      (command) => command.replay(options)
    )
)

const delivery = Command.make("delivery", {}, () =>
  lazily(
    keepsGuards,
    () => import("./commands/docs.ts"),
    (command) => command.delivery
  )
)

const note = Command.make(
  "note",
  {
    text: Args.text({ name: "text" }),
    kind: text("kind"),
    tag: Options.text("tag").pipe(Options.repeated),
    importance: Options.float("importance").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    session: text("session"),
    project,
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/note.ts"),
      (command) => command.note(options)
    )
)

const notesList = Command.make(
  "list",
  {
    kind: text("kind"),
    tag: text("tag"),
    session: text("session"),
    project,
    all: flag("all"),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/notes.ts"),
      (command) => command.list(options)
    )
)

const notesShow = Command.make("show", { ref, json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/notes.ts"),
    (command) => command.show(options)
  )
)

const notesConfirm = Command.make("confirm", { ref }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/notes.ts"),
    (command) => command.confirm(options)
  )
)

const notesRetract = Command.make("retract", { ref, reason: text("reason") }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/notes.ts"),
    (command) => command.retract(options)
  )
)

const notes = Command.make("notes").pipe(
  Command.withSubcommands([notesList, notesShow, notesConfirm, notesRetract])
)

const search = Command.make(
  "search",
  {
    query: Args.text({ name: "query" }).pipe(Args.atLeast(1)),
    kind: Options.choice("kind", ["note", "summary", "fix", "error", "prompt"] as const).pipe(
      Options.optional,
      Options.map(Option.getOrUndefined)
    ),
    all: flag("all"),
    project,
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/search.ts"),
      (command) => command.search(options)
    )
)

const chainsList = Command.make(
  "list",
  {
    state: Options.choice("state", chainStates).pipe(Options.optional, Options.map(Option.getOrUndefined)),
    session: text("session"),
    project,
    all: flag("all"),
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/chains.ts"),
      (command) => command.list(options)
    )
)

const chainsShow = Command.make("show", { ref, json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/chains.ts"),
    (command) => command.show(options)
  )
)

const chainsSimilar = Command.make(
  "similar",
  {
    message: Args.text({ name: "message" }),
    project,
    all: flag("all"),
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/chains.ts"),
      (command) => command.similar(options)
    )
)

const chains = Command.make("chains").pipe(Command.withSubcommands([chainsList, chainsShow, chainsSimilar]))

const checkpoint = Command.make(
  "checkpoint",
  { explain: flag("explain"), session: text("session"), project, json },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/checkpoint.ts"),
      (command) => command.checkpoint(options)
    )
)

const checkpointsList = Command.make(
  "list",
  {
    limit: Options.integer("limit").pipe(Options.optional, Options.map(Option.getOrUndefined)),
    project,
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/checkpoints.ts"),
      (command) => command.list(options)
    )
)

const checkpointsShow = Command.make("show", { ref, project, json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/checkpoints.ts"),
    (command) => command.show(options)
  )
)

const checkpoints = Command.make("checkpoints").pipe(
  Command.withSubcommands([checkpointsList, checkpointsShow])
)

const hooksList = Command.make("list", { event: text("event"), project, json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/hooks.ts"),
    (command) => command.list(options)
  )
)

const switching = {
  name: Args.text({ name: "name" }),
  scope: Options.choice("scope", ["user", "project", "session"] as const).pipe(
    Options.withDefault("user" as const)
  ),
  session: text("session")
}

const hooksEnable = Command.make("enable", { ...switching, project }, (options) =>
  lazily(
    weakensGuards("hooks enable"),
    () => import("./commands/hooks.ts"),
    (command) => command.enable(options)
  )
)

const hooksDisable = Command.make("disable", { ...switching, project }, (options) =>
  lazily(
    weakensGuards("hooks disable"),
    () => import("./commands/hooks.ts"),
    (command) => command.disable(options)
  )
)

const hooks = Command.make("hooks").pipe(Command.withSubcommands([hooksList, hooksEnable, hooksDisable]))

const jobsList = Command.make(
  "list",
  {
    state: Options.choice("state", [...jobStates, "all"]).pipe(
      Options.optional,
      Options.map(Option.getOrUndefined)
    ),
    json
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/jobs.ts"),
      (command) => command.list(options)
    )
)

const jobsShow = Command.make("show", { ref, json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/jobs.ts"),
    (command) => command.show(options)
  )
)

const jobsRetry = Command.make(
  "retry",
  {
    ref: Args.optional(ref).pipe(Args.map(Option.getOrUndefined)),
    allDead: flag("all-dead")
  },
  (options) =>
    lazily(
      keepsGuards,
      () => import("./commands/jobs.ts"),
      (command) => command.retry(options)
    )
)

const jobs = Command.make("jobs").pipe(Command.withSubcommands([jobsList, jobsShow, jobsRetry]))

const actors = Command.make("actors", { follow: flag("follow"), json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/actors.ts"),
    (command) => command.actors(options)
  )
)

const hostStart = Command.make("start", {}, () =>
  lazily(
    keepsGuards,
    () => import("./commands/host.ts"),
    (command) => command.start()
  )
)

const hostStop = Command.make("stop", {}, () =>
  lazily(
    keepsGuards,
    () => import("./commands/host.ts"),
    (command) => command.stop()
  )
)

const hostStatus = Command.make("status", { json }, (options) =>
  lazily(
    keepsGuards,
    () => import("./commands/host.ts"),
    (command) => command.status(options)
  )
)

const host = Command.make("host").pipe(Command.withSubcommands([hostStart, hostStop, hostStatus]))

const docs = Command.make("docs").pipe(Command.withSubcommands([delivery]))

const forget = Command.make(
  "forget",
  {
    target: Args.text({ name: "session or ref" }).pipe(Args.optional, Args.map(Option.getOrUndefined)),
    matching: text("matching"),
    dryRun: flag("dry-run"),
    yes: flag("yes"),
    json
  },
  (options) =>
    lazily(
      weakensGuards("forget"),
      () => import("./commands/forget.ts"),
      (command) => command.forget(options)
    )
)

export const root = Command.make("hooktape").pipe(
  Command.withSubcommands([
    init,
    trust,
    build,
    install,
    uninstall,
    doctor,
    importing,
    runHook,
    test,
    explain,
    log,
    show,
    replay,
    note,
    notes,
    search,
    chains,
    checkpoint,
    checkpoints,
    hooks,
    jobs,
    actors,
    host,
    forget,
    docs
  ])
)
