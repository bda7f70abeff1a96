/** Asks the log for a handler: of each fact only what was asked for, since all of the answer is recorded. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { LogFact, LogFacts, LogQuery } from "../../hooks/Services.ts"
import type { FactQuery } from "../../log/FactQuery.ts"
import type { Reader, ReadFact } from "../../log/reader.ts"

const maxFacts = 1000
/** Of one answer, in characters. */
export const maxText = 524_288

const memberAt = (data: unknown, path: string): Json | undefined => {
  let value = data
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value as Json
}

/** Under the whole path, so that no two of them meet. */
const picked = (data: object, paths: readonly string[] | undefined): JsonObject => {
  if (paths === undefined) return data as JsonObject
  const members = paths.flatMap((path): [string, Json][] => {
    const value = memberAt(data, path)
    return value === undefined ? [] : [[path, value]]
  })
  return Object.fromEntries(members)
}

const shown = (fact: ReadFact, pick: readonly string[] | undefined): LogFact => {
  const { agent, at, event, id, project, session, stream, type } = fact
  return { id, stream, type, at, agent, event, session, project, data: picked(fact.data, pick) }
}

export const queryOf = (query: LogQuery, project: string): FactQuery => {
  const { limit, newestFirst = true, pick: _, project: wanted = project, ...given } = query
  return {
    ...given,
    newestFirst,
    limit: Math.min(limit ?? 100, maxFacts),
    ...(wanted === null ? {} : { project: wanted })
  }
}

export const readLog = (reader: Reader, query: LogQuery, project: string): LogFacts => {
  const { facts, problem } = reader.facts(queryOf(query, project))
  const problems = problem === undefined ? [] : [problem]
  const kept: LogFact[] = []
  let length = 0
  for (const fact of facts) {
    const one = shown(fact, query.pick)
    length += JSON.stringify(one).length
    if (length > maxText) {
      problems.push("they are longer than one answer may be: pick what is needed of them")
      break
    }
    kept.push(one)
  }
  return { facts: kept, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) }
}
