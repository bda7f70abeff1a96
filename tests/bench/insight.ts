/** How well chains are told on labelled sessions: the events as hooks sent them, straight into the fold, judged by the set's own scorer. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { follow } from "../../src/features/chains/follow.ts"
import { memoryStore } from "../../src/features/chains/memoryStore.ts"
import { relatedAll } from "../../src/features/chains/relations.ts"
import { rowsOf } from "../../src/features/chains/rows.ts"
import { wilson } from "../../src/features/metrics/statistics.ts"
import { factsOf, type LabelledSession, labelledSessions } from "./labelledSessions.ts"

interface Prediction {
  readonly error: string
  readonly fix: readonly string[]
  readonly resolved: boolean
  readonly proof: string | null
  readonly recurs_of: string | null
}

const followed = (sessions: readonly LabelledSession[]) => {
  const { all, store } = memoryStore()
  let position = 0
  for (const session of sessions)
    for (const { agent, at, fact, session: id } of factsOf(session)) {
      position++
      follow(store, fact, {
        stream: `invocation/i${position}`,
        position,
        at,
        agent,
        project: "/p",
        session: id
      })
    }
  return relatedAll(all()).flatMap(rowsOf)
}
type Rows = ReturnType<typeof followed>

/** One line for each call that failed, whatever problems it showed. */
const predictionsIn = (rows: Rows): readonly Prediction[] => {
  const found = new Map<string, Prediction>()
  for (const row of rows) {
    const known = found.get(row.error.toolUseId)
    found.set(row.error.toolUseId, {
      error: row.error.toolUseId,
      fix: [...new Set([...(known?.fix ?? []), ...row.fix.map(({ toolUseId }) => toolUseId)])],
      resolved: (known?.resolved ?? true) && row.state === "resolved",
      proof: known?.proof ?? row.proof?.toolUseId ?? null,
      recurs_of: known?.recurs_of ?? row.recursOf?.toolUseId ?? null
    })
  }
  return [...found.values()]
}

interface Episode {
  readonly error_tool_use_id: string
  readonly fix?: readonly string[]
  readonly accept?: readonly string[]
  readonly severity: string
  readonly id: string
  readonly session: string
  readonly recurs_of?: string
  readonly relation: string
  readonly role: string
  /** Calls that show it once more, for which no failure of their own is labelled. */
  readonly also_seen_at?: readonly string[]
}

const labelsOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "labels.json"), "utf8")) as { readonly episodes: readonly Episode[] }

const share = (part: number, whole: number): string => (whole === 0 ? "none" : (part / whole).toFixed(2))

/** Of what a model is told: how often what is named helped, by the call and by each thing that is named. */
const gradeA = (own: readonly LabelledSession[], rows: Rows): string => {
  const [first] = own
  if (first === undefined) return ""
  const sessions = new Set(own.map(({ session }) => session))
  const episodes = labelsOf(first.folder).episodes.filter(
    ({ session, severity }) => severity === "real" && sessions.has(session)
  )
  const of = (id: string) =>
    episodes.filter((one) => one.error_tool_use_id === id || (one.also_seen_at ?? []).includes(id))
  // Who looked closer at what had failed shows nothing new: the set's scorer leaves that out too.
  const isLook = (id: string) => of(id).length > 0 && of(id).every(({ role }) => role === "diagnostic")
  const told = predictionsIn(rows.filter(({ grade }) => grade === "A")).filter(({ error }) => !isLook(error))
  const named = told.map(({ error, fix }) => {
    const right = new Set(of(error).flatMap((one) => one.fix ?? []))
    // What is accepted beside a fix counts neither way.
    const beside = new Set(of(error).flatMap(({ accept }) => accept ?? []))
    return {
      right: fix.filter((id) => right.has(id)).length,
      isAccepted: fix.some((id) => beside.has(id)),
      all: fix.filter((id) => right.has(id) || !beside.has(id)).length
    }
  })
  // Where nothing is named but what is accepted, nothing wrong is told.
  const helped = named.filter(({ all, isAccepted, right }) => right > 0 || (isAccepted && all === 0)).length
  const links = named.reduce((sum, { right }) => sum + right, 0)
  const allLinks = named.reduce((sum, { all }) => sum + all, 0)
  const [low, high] = wilson(helped, named.length)
  const fixable = new Set(
    episodes.filter(({ fix }) => (fix ?? []).length > 0).map((one) => one.error_tool_use_id)
  )
  return `  grade A: ${named.length} calls, ${helped} with a fix that helped (P ${share(helped, named.length)}, 95 % ${low.toFixed(2)} to ${high.toFixed(2)}; of ${fixable.size} calls that were fixed); links P ${share(links, allLinks)} (${links}/${allLinks})`
}

/** The set's own scorer, on a copy of its labels that holds only these sessions. */
const scored = (sessions: readonly LabelledSession[], predictions: readonly Prediction[]): string => {
  const [first] = sessions
  if (first === undefined) return ""
  const own = new Set(sessions.map(({ session }) => session))
  const labels = JSON.parse(readFileSync(join(first.folder, "labels.json"), "utf8"))
  const isOwn = ({ session }: { readonly session: string }) => own.has(session)
  const episodes: readonly Episode[] = labels.episodes.filter(isOwn)
  const ids = new Set(episodes.map(({ id }) => id))
  const part = {
    ...labels,
    sessions: labels.sessions.filter(isOwn),
    distractors: labels.distractors.filter(isOwn),
    // What recurs from a session that is left out is new here.
    episodes: episodes.map((one) =>
      one.recurs_of !== undefined && ids.has(one.recurs_of)
        ? one
        : { ...one, recurs_of: undefined, relation: "new" }
    )
  }
  const place = mkdtempSync(join(tmpdir(), "insight-"))
  writeFileSync(join(place, "labels.json"), JSON.stringify(part))
  writeFileSync(join(place, "pred.jsonl"), predictions.map((one) => `${JSON.stringify(one)}\n`).join(""))
  const scorer = [first.folder, dirname(first.folder)]
    .map((folder) => join(folder, "score.mjs"))
    .find(existsSync)
  if (scorer === undefined) return "no score.mjs beside the labels"
  const args = [scorer, place, "--transcripts", first.folder, "--score", join(place, "pred.jsonl"), "--quiet"]
  const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  const from = stdout.indexOf(`\n${join(place, "pred.jsonl")}`)
  return from < 0 ? stdout + stderr : stdout.slice(from + 1).replace(join(place, "pred.jsonl"), "found")
}

/** `keys`: only these sessions, by their one-letter keys. */
export const judgeInsight = (folder: string, keys: string | undefined): string => {
  const sessions = labelledSessions(folder).filter(({ key }) => keys === undefined || keys.includes(key))
  return [...new Set(sessions.map((one) => one.folder))]
    .map((set) => sessions.filter((one) => one.folder === set))
    .map((own) => {
      const rows = followed(own)
      return `${own.map(({ key }) => key).join(" ")}: ${scored(own, predictionsIn(rows))}${gradeA(own, rows)}\n`
    })
    .join("\n")
}
