/** What each command takes, in the words of its help. That it names every option of the parser is tested. */
import { agents } from "../../../events/agentEvents.ts"
import type { about } from "./about.ts"
import { chainStates } from "./chainStates.ts"
import { jobStates } from "./jobStates.ts"

export type CommandName = keyof typeof about

/** What is written, and what it means. */
type Line = readonly [string, string]

export interface Usage {
  /** After `hooktape <command>`. */
  readonly line: string
  readonly operands?: readonly Line[]
  readonly options?: readonly Line[]
  readonly examples?: readonly string[]
}

const times = "10m, 2h, 3d, today, a date"
const registrable = agents.filter((agent) => agent !== "raw")

const project: Line = [
  "--project DIR",
  "The project's directory. Default: the one around the working directory."
]
const json: Line = ["--json", "Print JSON instead of text."]
const ref: Line = [
  "<ref>",
  'An invocation: its id, the beginning or end of one, or "last", in which a hook had something to say.'
]

const registering: readonly Line[] = [
  ["--agent NAME", `Whose settings (required): ${registrable.join(", ")}.`],
  [
    "--scope SCOPE",
    "Which of its settings: user (default), project, or local for the project's private ones."
  ],
  ["--dry-run", "Show what would change, and change nothing."]
]

export const usage: Readonly<Record<CommandName, Usage>> = {
  init: { line: "[options]", options: [project] },
  trust: {
    line: "[list | revoke <digest>] [options]",
    operands: [
      ["list", "What was trusted and what was revoked, with digests."],
      ["revoke", "Take it back, from the next call on."],
      ["<digest>", "The digest of a content, or its beginning."]
    ],
    options: [
      ["--yes", "Do not ask; needed where there is no terminal."],
      ["--again DIGEST", "Trust what was revoked, by name."],
      project,
      json
    ],
    examples: ["hooktape trust", "hooktape trust revoke 3f9a0c"]
  },
  build: {
    line: "[options]",
    options: [
      project,
      ["--user", "Only the user's own hooks."],
      ["--all", "Name the hooks that come with hooktape, too."],
      ["--quiet", "Say nothing but errors."]
    ]
  },
  install: {
    line: "--agent NAME [options]",
    options: [
      ...registering,
      ["--events LIST", "Exactly these events (a,b), all of them (all), or more or fewer (+a,-b)."],
      [
        "--transport NAME",
        "command, http (Claude Code only), or auto (default): http only where there is no native client."
      ]
    ],
    examples: ["hooktape install --agent claude-code", "hooktape install --agent codex --events +Stop"]
  },
  uninstall: { line: "--agent NAME [options]", options: registering },
  doctor: { line: "[options]", options: [json] },
  import: {
    line: "[agent] [path…] [options]",
    operands: [
      ["[agent]", "claude-code, codex or gemini-cli. Default: all three."],
      ["[path…]", "Transcripts, or folders of them. Default: where the agents keep them."]
    ],
    options: [
      ["--since TIME", `Only what happened since: ${times}.`],
      ["--project DIR", "Only sessions of this project."],
      ["--dry-run", "Read and count, and record nothing."],
      json
    ],
    examples: ["hooktape import", "hooktape import codex", "hooktape import claude-code ~/old/projects"]
  },
  run: {
    line: "<agent> <Event>",
    operands: [
      ["<agent>", `${agents.join(", ")}.`],
      ["<Event>", "The agent's own name of the event."]
    ],
    examples: ["echo '{}' | hooktape run claude-code PreToolUse"]
  },
  test: {
    line: "[fixtures…] [options]",
    operands: [["<fixture>", "Files or directories. Default: .hooktape/fixtures."]],
    options: [["--update", "Write the replies as they are now."], json, project]
  },
  explain: {
    line: "[<command>] [options]",
    operands: [
      [
        "<command>",
        "A shell command. Without one: many from standard input, each line a JSON string, each answered by a line of JSON."
      ]
    ],
    options: [
      ["--cwd DIR", "Where it is to run. Default: the working directory."],
      ["--project DIR", "What lies outside of it is outside. Default: the project around --cwd."],
      json
    ],
    examples: ["hooktape explain 'rm -rf ../other'", "jq -c .command commands.ndjson | hooktape explain"]
  },
  log: {
    line: "[verify | repair] [options]",
    operands: [
      ["verify", "Whether every fact is there and as it was recorded: ends with 1 where one is not."],
      ["repair", "Make a new log of what can be read of a damaged one, which is kept beside it."]
    ],
    options: [
      ["--failed", "Only calls in which a hook failed or was late, or that were not answered."],
      ["--blocked", "Only calls that were blocked."],
      ["--hook NAME", "Only calls that this hook ran in."],
      ["--session ID", "Only this session of an agent: its id, or the beginning or end of one."],
      ["--agent NAME", `Only this agent: ${agents.join(", ")}.`],
      ["--event EVENT", "Only this event, by either of its names."],
      ["--project DIR", "Only this project."],
      ["--since TIME", `Only from this time on: ${times}.`],
      ["--grep TEXT", "Only calls with this text in what they were about, a hook, the reason or the id."],
      ["--all", "Calls of hooktape itself as well."],
      ["--limit NUMBER", "Only the last so many. Default: 200, where no filter is given."],
      ["--follow", "Go on with what comes: a line for each call that ends."],
      ["--facts", "A line for each fact instead."],
      ["--type TYPES", "Only facts of this type; several with commas."],
      ["--invocation REF", "Only the facts of this invocation."],
      ["--calls", "A line for each call, also with --json."],
      ["--json", "Print one JSON document per line: of each fact, or with --calls of each call."]
    ],
    examples: ["hooktape log --blocked --since 2h", "hooktape log --type HANDLER_FAILED --json"]
  },
  show: {
    line: "<ref> [options]",
    operands: [ref],
    options: [["--raw", "Print the bytes that came and went as they were."], json],
    examples: ["hooktape show last"]
  },
  replay: {
    line: "<ref> | --since TIME | --all [options]",
    operands: [ref],
    options: [
      ["--since TIME", `All invocations from this time on: ${times}, 0.`],
      ["--all", "All invocations on the log."],
      [
        "--with DIR",
        "A directory with hook files to run in place of the project's, on the recorded payloads."
      ],
      ["--break", "Run the hooks of one invocation under Node's inspector, to step through them."],
      json
    ],
    examples: ["hooktape replay last", "hooktape replay --since 1d --with .hooktape/hooks"]
  },
  note: {
    line: "<text> [options]",
    operands: [["<text>", "What is to be remembered; `-` reads it from standard input."]],
    options: [
      ["--kind NAME", "What sort of note: decision, fix, preference … Default: note."],
      ["--tag NAME", "A word to find it by. May be given several times."],
      ["--importance N", "0 to 1."],
      ["--session ID", "The session of an agent that it belongs to."],
      project,
      json
    ],
    examples: ['hooktape note "Releases are cut from main" --kind decision --tag release']
  },
  notes: {
    line: "list | show <ref> | confirm <ref> | retract <ref>",
    operands: [
      ["list", "The notes of this project that hold, newest last."],
      ["show", "One note, whole."],
      ["confirm", "Say that it still holds."],
      ["retract", "It no longer holds: it stays on the log and is found no more."],
      ["<ref>", 'A note: its id, the beginning or end of one, or "last".']
    ],
    options: [
      ["--kind NAME", "Only of this kind."],
      ["--tag NAME", "Only with this tag."],
      ["--session ID", "Only of this session of an agent."],
      ["--project DIR", "Of this project. Default: the one around the working directory."],
      ["--all", "Of all projects, and those that were retracted."],
      ["--reason TEXT", "Why it no longer holds."],
      json
    ],
    examples: ["hooktape notes list --kind summary", 'hooktape notes retract last --reason "wrong"']
  },
  search: {
    line: "<query> [options]",
    operands: [["<query>", 'Words, and pieces "in quotes" that stay together.']],
    options: [
      ["--kind NAME", "Only this: note, summary, fix, error or prompt."],
      ["--all", "In all projects."],
      ["--project DIR", "In this project. Default: the one around the working directory."],
      ["--limit NUMBER", "At most so many. Default: 10."],
      json
    ],
    examples: ["hooktape search redis timeout", "hooktape search '\"connection refused\"' --kind fix"]
  },
  chains: {
    line: 'list | show <ref> | similar "<message>" [options]',
    operands: [
      ["list", "The chains of this project, newest last."],
      ["show", "One with everything that was tried."],
      ["similar", "Those whose error is like this message, resolved ones first."],
      ["<ref>", 'A chain: its id, the beginning or end of one, or "last".']
    ],
    options: [
      ["--state STATE", `Only these: ${chainStates.join(", ")}.`],
      ["--session ID", "Only of this session of an agent."],
      ["--project DIR", "Of this project. Default: the one around the working directory."],
      ["--all", "Of all projects."],
      ["--limit NUMBER", "At most so many. Default: 20 of a list, 5 that are similar."],
      json
    ],
    examples: ["hooktape chains list --state open", 'hooktape chains similar "connect ECONNREFUSED"']
  },
  checkpoint: {
    line: "[options]",
    options: [
      ["--explain", "Show every component with its weight, score and reason."],
      ["--session ID", "The session of an agent that it belongs to."],
      project,
      json
    ],
    examples: ["hooktape checkpoint --explain"]
  },
  checkpoints: {
    line: "list | show <ref> [options]",
    operands: [
      ["list", "The checkpoints of this project, newest last."],
      ["show", "One with all its components."],
      ["<ref>", 'A checkpoint: its id, the beginning or end of one, or "last".']
    ],
    options: [["--limit NUMBER", "Only the last so many."], project, json],
    examples: ["hooktape checkpoints show last"]
  },
  hooks: {
    line: "list | enable <name> | disable <name> [options]",
    operands: [
      ["list", "The hooks of this project: events, priority, state, last outcome, latency, failures."],
      ["enable", "Switch a hook on, from the next call on."],
      ["disable", "Switch it off."],
      ["<name>", "The name it was given in defineHook."]
    ],
    options: [
      ["--event E", "Only the hooks on this event."],
      ["--scope SCOPE", "user (default), project or session."],
      ["--session S", "The session, for that scope."],
      project,
      json
    ],
    examples: ["hooktape hooks list --event tool.before", "hooktape hooks disable slow-check --scope project"]
  },
  jobs: {
    line: "list | show <ref> | retry <ref> [options]",
    operands: [
      ["list", "What is queued, runs, waits for its next attempt, is dead, or was dropped."],
      ["show", "One job with all its attempts."],
      ["retry", "Try a dead, dropped or waiting job again now, with all its attempts anew."],
      ["<ref>", 'A job: its id, the beginning or end of one, or "last".']
    ],
    options: [
      ["--state STATE", `Only these: ${[...jobStates, "all"].join(", ")}. Default: all but done.`],
      ["--all-dead", "Every job that is dead."],
      json
    ],
    examples: ["hooktape jobs list --state dead", "hooktape jobs retry --all-dead"]
  },
  actors: {
    line: "[options]",
    options: [["--follow", "Go on, with a line for each step, until interrupted."], json],
    examples: ["hooktape actors --follow"]
  },
  host: {
    line: "start | stop | status [options]",
    operands: [
      ["start", "Start the host and wait until it answers. Hooks start it by themselves."],
      ["stop", "Let it finish what it has, and end it."],
      ["status", "Whether one runs, and how it does. Exit code 1 when none does."]
    ],
    options: [json],
    examples: ["hooktape host status --json"]
  },
  forget: {
    line: "<session> | <ref> | --matching TEXT [options]",
    operands: [
      ["<session>", "A session: its calls, jobs, notes and checkpoints, and the copies of its transcript."],
      ref
    ],
    options: [
      ["--matching TEXT", "Exactly this text, wherever it stands: what holds it stays, without it."],
      ["--dry-run", "Say what would go, and change nothing."],
      ["--yes", "Do not ask. Needed where nobody sits at a terminal."],
      json
    ],
    examples: ["hooktape forget last", "hooktape forget --matching 'hunter2' --yes"]
  },
  docs: {
    line: "delivery",
    operands: [["delivery", "Which intent goes where, for every agent and event."]]
  }
}

export const isCommand = (word: string | undefined): word is CommandName =>
  word !== undefined && Object.hasOwn(usage, word)

/** Commands that do nothing by themselves. */
const groups: readonly CommandName[] = ["notes", "chains", "checkpoints", "hooks", "jobs", "host", "docs"]

/** The words that may follow a command that does nothing by itself. */
export const wordsOf = (command: CommandName): readonly string[] =>
  (usage[command].operands ?? []).flatMap(([operand]) => /^[a-z][a-z-]*/.exec(operand)?.[0] ?? [])

/** The command whose help is asked for; what follows `--` is nobody's option. */
export const helpWanted = (words: readonly string[]): CommandName | undefined => {
  const [first, second] = words
  const asked = first === "help" ? second : first
  if (!isCommand(asked)) return undefined
  if (groups.includes(asked) && words.length === 1) return asked
  const end = words.indexOf("--")
  const own = end === -1 ? words : words.slice(0, end)
  return first === "help" || own.includes("--help") || own.includes("-h") ? asked : undefined
}

/** What may stand at a required option, for whoever left it out. */
export const valuesOf = (option: string): readonly string[] => (option === "--agent" ? registrable : [])
