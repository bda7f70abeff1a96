/** How well chains are told on labelled sessions: the events as hooks sent them, straight into the fold, judged by the set's own scorer. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { follow } from "../../src/features/chains/follow.ts"
import { memoryStore } from "../../src/features/chains/memoryStore.ts"
import { relatedAll } from "../../src/features/chains/relations.ts"
import { rowsOf } from "../../src/features/chains/rows.ts"
import { factsOf, type LabelledSession, labelledSessions } from "./labelledSessions.ts"

interface Prediction {
  readonly error: string
  readonly fix: readonly string[]
  readonly resolved: boolean
  readonly proof: string | null
  readonly recurs_of: string | null
}

/** One line for each call that failed, whatever problems it showed. */
export const predictionsOf = (sessions: readonly LabelledSession[]): readonly Prediction[] => {
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
  const found = new Map<string, Prediction>()
  for (const row of relatedAll(all()).flatMap(rowsOf)) {
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
  readonly id: string
  readonly session: string
  readonly recurs_of?: string
  readonly relation: string
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
    .map((own) => `${own.map(({ key }) => key).join(" ")}: ${scored(own, predictionsOf(own))}`)
    .join("\n")
}
