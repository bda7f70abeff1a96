/** What a settings file may say: its keys, their values, and what each means; the shipped `config.schema.json` is made from it. */
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { longText, shortText } from "../hooks/duration.ts"
import { maxAttempts, maxRuns } from "../hooks/limitProblems.ts"

export const defaultDeadlineMs = 5000

const Priority = Schema.Number.pipe(Schema.int(), Schema.between(0, 1000)).annotations({
  description: "0–1000, lower first."
})

const Deadline = Schema.Union(
  Schema.Number.pipe(Schema.greaterThan(0)),
  Schema.String.pipe(Schema.pattern(shortText))
).annotations({ description: 'How long the hook may take: milliseconds, or a text such as "2 seconds".' })

/** How long something stays so. */
const LongDuration = Schema.Union(
  Schema.Number.pipe(Schema.greaterThan(0)),
  Schema.String.pipe(Schema.pattern(longText))
)

const Scope = Schema.Literal("session", "project")

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const HookSettings = Schema.Struct({
  enabled: optional(Schema.Boolean.annotations({ description: "false keeps the hook from running." })),
  priority: optional(Priority),
  deadline: optional(Deadline),
  onFailure: optional(
    Schema.Literal("allow", "block", "ask").annotations({
      description: "What a failing or late hook means: go on, stop the action, or let the human decide."
    })
  ),
  ifCannotAsk: optional(
    Schema.Literal("block", "allow").annotations({
      description:
        "What a question of the hook means where the agent cannot ask: stop the action, or let it pass."
    })
  ),
  background: optional(
    Schema.Boolean.annotations({
      description: "true runs the hook after the reply, where it can block nothing."
    })
  ),
  settings: optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown.annotations({ jsonSchema: {} }) }).annotations({
      description: "What the hook itself offers to be set; laid over its own settings, key by key."
    })
  ),
  once: optional(Scope.annotations({ description: "Runs once in each session, or once in each project." })),
  cooldown: optional(
    Schema.Union(LongDuration, Schema.Struct({ for: LongDuration, scope: optional(Scope) })).annotations({
      description: 'Stays out for so long after each run: milliseconds, or a text such as "10 minutes".'
    })
  ),
  rateLimit: optional(
    Schema.Struct({
      limit: Schema.Number.pipe(Schema.int(), Schema.between(1, maxRuns)),
      per: LongDuration,
      scope: optional(Scope)
    }).annotations({ description: "At most so many runs within so long." })
  ),
  retry: optional(
    Schema.Union(
      Schema.Number.pipe(Schema.int(), Schema.between(1, maxAttempts)),
      Schema.Struct({
        attempts: Schema.Number.pipe(Schema.int(), Schema.between(1, maxAttempts)),
        delay: optional(Deadline)
      })
    ).annotations({ description: "How often the hook is tried while it fails." })
  )
})
export type HookSettings = typeof HookSettings.Type

const Texts = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** A public key of Ed25519: its 32 bytes in base64url. */
export const policyKey = /^ed25519:[\w-]{43}$/

/** A hook that is a command; what its options may be is checked with those of all other hooks. */
const External = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100)).annotations({
    description: "The hook's name."
  }),
  on: Texts.annotations({ description: "An event, or a list of events." }),
  run: Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "The command line. It reads the payload, and answers as the agent's own hooks do."
  }),
  runOnWindows: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The command line on Windows, where it is another."
    })
  ),
  when: optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown.annotations({ jsonSchema: {} }) }).annotations({
      description: 'Conditions: tool, toolName, command, path, project, agent. "/…/" is a regular expression.'
    })
  ),
  agents: optional(Schema.Array(Schema.String).annotations({ description: "Default: every agent." })),
  agentEvents: optional(
    Schema.Array(Schema.String).annotations({
      description: "The agent's own events, where several of them are one of hooktape's."
    })
  ),
  matcher: optional(
    Schema.String.annotations({ description: "A matcher as the agent's own settings have it." })
  ),
  payload: optional(
    Schema.Literal("agent", "hooktape").annotations({
      description: "What it reads and how it answers: as the agent has it, or as hooktape has it."
    })
  ),
  projectCode: optional(
    Schema.Boolean.annotations({
      description: "true: it runs the project's own code, such as its tests, whatever that is by then."
    })
  ),
  final: optional(Schema.Boolean),
  deliver: optional(
    Schema.Union(
      Schema.Literal("next"),
      Schema.Struct({
        to: Schema.Literal("next"),
        keep: optional(Schema.Literal("all", "newest")),
        within: optional(LongDuration)
      })
    ).annotations({
      description: "In the background: what it answers is said at the session's next event that can carry it."
    })
  ),
  ...(Object.fromEntries(Object.entries(HookSettings.fields).filter(([key]) => key !== "settings")) as Omit<
    typeof HookSettings.fields,
    "settings"
  >)
})

/** A collector's database, and what opens it. */
const NamedLog = Schema.Struct({
  url: Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "Its URL, postgresql://…, without a password."
  }),
  passwordFile: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The file with the password: an absolute path, or one from this file's folder on."
    })
  ),
  passwordEnvironment: optional(
    Schema.String.pipe(Schema.minLength(1)).annotations({
      description: "The environment variable that holds the password."
    })
  )
})
export type NamedLog = typeof NamedLog.Type

export const Config = Schema.Struct({
  $schema: optional(Schema.String),
  version: optional(
    Schema.Literal(1).annotations({
      description: "Of the shape of this file. A file without it is of the first."
    })
  ),
  deadlineMs: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(100, 600_000)).annotations({
      description: "How long all hooks of one event may take together, in milliseconds. Default 5000."
    })
  ),
  stopBlocks: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(1, 100)).annotations({
      description:
        "How often in a row hooks may keep the agent from stopping without a word of the human in between. Default 3."
    })
  ),
  handlerProcesses: optional(
    Schema.Number.pipe(Schema.int(), Schema.between(1, 16)).annotations({
      description:
        "How many processes run hooks at the same time, at most. Default 4. Counts in your own configuration only, from the host's next start on."
    })
  ),
  hooks: optional(
    Schema.Record({ key: Schema.String, value: HookSettings }).annotations({
      description: "Settings by the name of the hook."
    })
  ),
  external: optional(
    Schema.Array(External).annotations({ description: "Hooks that are commands in any language." })
  ),
  defaults: optional(
    Schema.Boolean.annotations({
      description:
        "false leaves out the hooks that come with hooktape. Counts in your own configuration only."
    })
  ),
  shipped: optional(
    Schema.Array(Schema.String).annotations({
      description:
        "Names of the hooks that come with hooktape and are on: all others of them are off but for guards, later ones too. Counts in your own configuration only."
    })
  ),
  policies: optional(
    Schema.Array(
      Schema.Struct({
        file: Schema.String.pipe(Schema.minLength(1)).annotations({
          description: "Where it lies: an absolute path, or one from this file's folder on."
        }),
        key: Schema.String.pipe(Schema.pattern(policyKey)).annotations({
          description: 'The public key of whoever signs it, as "hooktape policy key" prints it.'
        })
      })
    ).annotations({
      description:
        "Policies of your team: hooks and settings that are trusted because of who signed them. Counts in your own configuration only."
    })
  ),
  logs: optional(
    Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[\w.-]{1,60}$/)), value: NamedLog }).annotations(
      {
        description:
          'Logs of a fleet by names of yours, for "hooktape --log NAME". Counts in your own configuration only.'
      }
    )
  ),
  learning: optional(
    Schema.Boolean.annotations({
      description:
        "false switches off the hooks that learn from answers and checkpoints, in whichever file it stands. Default true."
    })
  )
})
export type Config = typeof Config.Type

/** The shipped `config.schema.json` is exactly this. */
export const configJsonSchema = (): object => ({
  ...JSONSchema.make(Config),
  title: "hooktape configuration",
  description: "Settings of .hooktape/config.json and ~/.config/hooktape/config.json."
})
