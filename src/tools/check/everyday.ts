/** Asks a project's guards about what agents do all day: continuous integration has no log, and a guard in the way is noticed by everybody. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../../events/intents.ts"
import { eventOf, type Manifest } from "../../state/manifest.ts"
import { scratchDirectory } from "../backtest/buildAside.ts"
import type { Case, HookRuling } from "../backtest/Case.ts"
import { makeJudge } from "../backtest/judge.ts"
import { type EverydayCall, everydayCalls } from "./everydayCalls.ts"
import type { Checked, Finding, RuleName } from "./Finding.ts"

const agent = "claude-code"
const agentEvent = "PreToolUse"

/** File names are the project's, as an agent has them. */
const placed = (input: JsonObject, project: string): JsonObject =>
  typeof input["file_path"] === "string" ? { ...input, file_path: join(project, input["file_path"]) } : input

const caseOf =
  (project: string) =>
  ({ input, subject, tool }: EverydayCall, nth: number): Case => ({
    id: `everyday-${nth}`,
    source: "transcript",
    at: 0,
    agent,
    agentEvent,
    payload: JSON.stringify({
      session_id: "everyday",
      cwd: project,
      permission_mode: "default",
      hook_event_name: agentEvent,
      tool_name: tool,
      tool_input: placed(input, project),
      tool_use_id: `everyday-${nth}`
    }),
    cwd: project,
    project,
    session: "everyday",
    turn: null,
    subagent: null,
    subject,
    shape: subject,
    before: undefined,
    recorded: []
  })

/** How a ruling stands in the way; undefined where it does not. */
const wayOf = ({ failed, ruling }: HookRuling): RuleName | undefined => {
  if (failed !== undefined) return "everyday-failed"
  if (ruling === "block") return "everyday-blocked"
  return ruling === "ask" ? "everyday-asked" : undefined
}

const does: Readonly<Partial<Record<RuleName, string>>> = {
  "everyday-blocked": "blocks",
  "everyday-asked": "asks about",
  "everyday-failed": "fails at"
}

const shown = 3

interface InTheWay {
  readonly hook: string
  readonly rule: RuleName
  readonly subjects: string[]
  readonly failed: string | undefined
}

const findingOf = ({ failed, hook, rule, subjects }: InTheWay, file: string): Finding => {
  const more = subjects.length - shown
  const named = `${subjects.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
  return {
    rule,
    level: "warning",
    file,
    message: `its hook "${hook}" ${does[rule] ?? rule} ${subjects.length} of ${everydayCalls.length} everyday calls: ${named}${failed === undefined ? "" : ` (${failed})`}`,
    ...(rule === "everyday-failed" ? {} : { remedy: "Where that is not meant, narrow its condition." })
  }
}

/** `fileOf`: where a hook stands, from the project's directory. */
export const checkEveryday = Effect.fn("check.everyday")(function* (
  project: string,
  manifest: Manifest,
  fileOf: (hook: string) => string | undefined
) {
  const check = "everyday" as const
  if (!Object.hasOwn(manifest.events, eventOf(manifest, agent, agentEvent)))
    return {
      check,
      looked: [],
      findings: [],
      skipped: "no hook of the project is asked before a tool"
    } satisfies Checked
  const judge = yield* makeJudge({ manifest, directory: yield* scratchDirectory })
  const judged = yield* judge.judge(everydayCalls.map(caseOf(project)))
  const found = new Map<string, InTheWay>()
  for (const [nth, { hooks }] of judged.entries())
    for (const one of hooks) {
      const rule = wayOf(one)
      if (rule === undefined || fileOf(one.hook) === undefined) continue
      const key = `${one.hook}\0${rule}`
      const there = found.get(key) ?? { hook: one.hook, rule, subjects: [], failed: one.failed }
      there.subjects.push(everydayCalls[nth]?.subject ?? "")
      found.set(key, there)
    }
  return {
    check,
    looked: everydayCalls.map(({ subject }) => subject),
    findings: [...found.values()].flatMap((one) => findingOf(one, fileOf(one.hook) ?? ""))
  } satisfies Checked
}, Effect.scoped)
