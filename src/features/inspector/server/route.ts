/** Finds what is asked for, checks how it is asked, and answers: never with an exception. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Endpoint, endpoints } from "../contract/endpoints.ts"
import { NotThere } from "../read/Source.ts"
import type { makeAnswers, Question } from "./answers.ts"
import { apiPrefix, type Refused } from "./door.ts"
import { whatIsWrong } from "./whatIsWrong.ts"

interface Route {
  readonly name: Question
  readonly pattern: RegExp
  readonly query: Schema.Schema.AnyNoContext | undefined
}

const routes: readonly Route[] = Object.entries(endpoints as Readonly<Record<string, Endpoint>>)
  // What is not done here is refused at the door.
  .filter(([, { method }]) => method === "GET")
  .map(([name, { path, query }]) => ({
    name: name as Question,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/, "([^/]+)")}$`),
    query
  }))

export type Routed = { readonly answer: unknown } | { readonly refused: Refused }

const refused = (status: number, code: Refused["code"], message: string): Routed => ({
  refused: { status, code, message }
})

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const nothing = refused(404, "not-found", "Nothing is there.")

export const routeTo =
  (answers: ReturnType<typeof makeAnswers>) =>
  async (url: URL): Promise<Routed> => {
    const path = url.pathname.slice(apiPrefix.length)
    // "/actors/history" is no parameter of another: the patterns take whole paths.
    for (const { name, pattern, query } of routes) {
      const found = pattern.exec(path)
      if (found === null) continue
      const parameter = decoded(found[1] ?? "")
      if (parameter === undefined) return nothing
      const asked = Schema.decodeUnknownEither(query ?? Schema.Struct({}))(
        Object.fromEntries(url.searchParams)
      )
      if (Either.isLeft(asked)) return refused(400, "bad-request", whatIsWrong(asked.left))
      const answer = answers[name] as (query: unknown, parameter: string) => unknown
      try {
        return { answer: await answer(asked.right, parameter) }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return error instanceof NotThere
          ? refused(404, "not-found", message)
          : refused(500, "failed", message)
      }
    }
    return nothing
  }
