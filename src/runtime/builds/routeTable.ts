/** The calls on which no foreground hook of a build has a word, as the build tells them: a file beside its bundles. */
import { join } from "node:path"
import { readRegular } from "../../state/readRegular.ts"

/** At an agent's event: every call, or those of the tools that are named. */
export interface Route {
  /** What the agent gets for an answer: one line, or nothing. */
  readonly reply: string
  readonly tools: "all" | readonly string[]
  /** Tools of a shell whose calls count as well where the command is one that the guards take for plain at a glance. */
  readonly shells?: readonly string[]
}

/** Agent → its own event name. */
export type RouteTable = Readonly<Record<string, Readonly<Record<string, Route>>>>

export const routesFile = "routes.json"

/** None where the build is gone, or older than the file. */
export const readRoutes = (dir: string): RouteTable | undefined => {
  try {
    return JSON.parse(readRegular(join(dir, routesFile)).toString()) as RouteTable
  } catch {
    return undefined
  }
}

export const routeOf = (table: RouteTable, agent: string, native: string): Route | undefined => {
  const routes = Object.hasOwn(table, agent) ? table[agent] : undefined
  return routes !== undefined && Object.hasOwn(routes, native) ? routes[native] : undefined
}
