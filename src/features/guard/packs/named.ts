/** The rules that go by the name of a command. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { packagedProgram } from "../recipes/packageScript.ts"
import type { Place, Verdict } from "../rule.ts"
import { containerTools, takesOwnContainers } from "./containers.ts"
import { databaseTools, isTestDatabase, judgeClient } from "./databases.ts"
import { infrastructureTools } from "./infrastructure.ts"
import { networkTools } from "./network.ts"
import { operationTools } from "./operations.ts"
import { isOnOwnServer } from "./ownServer.ts"
import { publishingTools } from "./publishing.ts"
import { storageTools } from "./storage.ts"
import { judgeRows, judgeTexts, type Tool } from "./table.ts"
import { takesTestStack } from "./testStack.ts"
import { windowsTools } from "./windows.ts"

const once = (make: () => Tool): (() => Tool) => {
  let made: Tool | undefined
  return () => (made ??= make())
}

const byName: ReadonlyMap<string, readonly (() => Tool)[]> = (() => {
  const all = new Map<string, readonly (() => Tool)[]>()
  const tables = [
    storageTools,
    containerTools,
    infrastructureTools,
    databaseTools,
    publishingTools,
    operationTools,
    networkTools,
    windowsTools
  ]
  for (const table of tables)
    for (const [name, tool] of Object.entries(table)) all.set(name, [...(all.get(name) ?? []), once(tool)])
  return all
})()

/** Programs that start a script of the same project: what counts is the script's name and what is behind it. */
const startsScript = /^(?:python[\d.]*|php|ruby|bundle|poetry|pipenv|uv|node|bin\/rails)$/

/** `python manage.py flush` is `manage.py flush`. */
const scriptOf = (call: Call): Call | undefined => {
  if (!startsScript.test(call.name)) return undefined
  const at = call.args.findIndex(({ values }) =>
    /(?:^|\/)(?:manage\.py|django-admin|artisan|rails|rake|console|alembic|flask)$/.test(values[0] ?? "")
  )
  if (at < 0 || at > 3) return undefined
  const name = (call.args[at]?.values[0] ?? "").replace(/^.*\//, "")
  return { ...call, name, args: call.args.slice(at + 1) }
}

/** `python -m twine upload` is `twine upload`. */
const moduleOf = (call: Call): Call | undefined => {
  const at = /^python[\d.]*$/.test(call.name) ? call.args.findIndex(({ values }) => values[0] === "-m") : -1
  return at < 0
    ? undefined
    : { ...call, name: call.args[at + 1]?.values[0] ?? "", args: call.args.slice(at + 2) }
}

const startsPackages = new Set(["pnpm", "yarn", "bun"])

/** `pnpm prisma reset` is `prisma reset`, where the package manager has no word of that name. */
const packagedOf = (call: Call): Call | undefined => {
  if (!startsPackages.has(call.name)) return undefined
  const texts = textsOf(call.args)
  const name = packagedProgram(call.name, texts)
  return name === undefined || !byName.has(name)
    ? undefined
    : { ...call, name, args: call.args.slice(texts.indexOf(name) + 1) }
}

export const isTool = (name: string): boolean => byName.has(name)

/** What the tables say of words that no shell has read. */
export const judgeWords = (name: string, texts: readonly string[], { off }: Place): Verdict | undefined => {
  for (const tool of byName.get(name) ?? []) {
    const found = judgeTexts(tool(), name, texts, off)
    if (found !== undefined) return found
  }
  return undefined
}

export const named: Rule = (given) => {
  const call = scriptOf(given) ?? moduleOf(given) ?? packagedOf(given) ?? given
  for (const tool of byName.get(call.name) ?? byName.get(call.name.replace(/\.(?:sh|exe|cmd)$/, "")) ?? []) {
    const found = judgeRows(tool(), call)
    if (found === undefined) continue
    const isNobodys =
      (found.rule === "databases" && isTestDatabase(call)) ||
      (found.rule === "containers" && (takesOwnContainers(call) || takesTestStack(call))) ||
      isOnOwnServer(found.rule, call)
    if (!isNobodys) return found
  }
  return judgeClient(call)
}
