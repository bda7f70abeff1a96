/** What the members of an object, and the texts of a list, tell of each other: the same for values as `frames.ts` finds in their JSON. */
import { secretArguments } from "./argumentLists.ts"
import { type Member, secretsAmong } from "./members.ts"
import { tokenKind } from "./secretTokens.ts"

interface Text extends Member {
  readonly at: string
}

const programName = /^(?:command|cmd|program|executable|file|bin|binary|exe|path|process|tool)$/i

/** The program whose arguments a list holds: beside it in its object, or before it in the list around it. */
export const programAmong = (texts: readonly Member[], isList: boolean): string | undefined =>
  (isList ? texts.at(-1) : texts.find(({ key }) => programName.test(key)))?.value

const textsOf = (current: object): readonly Text[] =>
  Object.entries(current).flatMap(([at, value]): Text[] => {
    const key = Array.isArray(current) ? "" : at
    if (typeof value === "string") return [{ at, key, value, isText: true }]
    return value === true || value === 1 || value === null
      ? [{ at, key, value: String(value), isText: false }]
      : []
  })

export interface Beside {
  /** By the name of its member or its place in the list. */
  readonly secrets: ReadonlyMap<string, string>
  readonly program: string | undefined
}

/** The secrets in an object or a list, and the program whose arguments the lists in it hold. `program`: the one that it holds those of. */
export const besideEachOther = (
  current: object,
  program: string | undefined,
  mark: (kind: string) => string
): Beside => {
  const texts = textsOf(current)
  const secrets = new Map<string, string>()
  const isList = Array.isArray(current)
  if (isList)
    secretArguments(
      texts.map(({ value }) => value),
      program,
      (nth, from, kind) => {
        const { at, value } = texts[nth] as Text
        secrets.set(at, value.slice(0, from) + mark(kind))
      }
    )
  else
    secretsAmong(texts, ({ at, isText, value }, kind) => {
      if (isText) secrets.set(at, mark(tokenKind(value) ?? (kind === "random-key" ? "key" : kind)))
    })
  return { secrets, program: programAmong(texts, isList) }
}
