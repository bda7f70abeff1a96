/** A stack of a bundle's, by the files and lines of whoever wrote the hooks. */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"

export interface Frame {
  /** `deep (/project/.hooktape/hooks/guard.ts:14:9)`: as stacks have it, without its `at`. */
  readonly text: string
  /** Whether it is in a file of the hooks' author. */
  readonly isAuthors: boolean
  /** Where in that, with its text as it was built, which earlier builds did not keep. */
  readonly source?: { readonly file: string; readonly line: number; readonly text: string | undefined }
}

/** As `findEntry` has it; all of it is missing where the place is nobody's. */
interface Entry {
  readonly originalSource?: string
  readonly originalLine?: number
  readonly originalColumn?: number
  readonly name?: string
}

/** What bundles are evaluated in takes columns of their first line. */
const wrapper = "(function(require,module,exports){".length

const inBundle = /^(?:(.*) \()?(\/.*\/build\/[0-9a-f]{16}\/[\w.-]+\.cjs):(\d+):(\d+)\)?$/

/** Of each bundle once; undefined where the build is gone, or nobody but hooktape is in it. */
const makeMaps = () => {
  const maps = new Map<string, SourceMap | undefined>()
  const read = (bundle: string): SourceMap | undefined => {
    try {
      return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, "utf8")))
    } catch {
      return undefined
    }
  }
  return (bundle: string): SourceMap | undefined => {
    if (!maps.has(bundle)) maps.set(bundle, read(bundle))
    return maps.get(bundle)
  }
}

interface Placed {
  /** As it stands in the stack. */
  readonly text: string
  /** What the bundle calls the function. */
  readonly written: string | undefined
  /** Where the author has it. */
  readonly place: string | undefined
  /** What the author calls the function that is called there. */
  readonly called: string | undefined
  readonly source?: NonNullable<Frame["source"]>
}

/** Node's types do not know of it. */
const textIn = (map: SourceMap | undefined, source: string): string | undefined => {
  const { sources, sourcesContent } = (map?.payload ?? {}) as {
    readonly sources?: readonly string[]
    readonly sourcesContent?: readonly (string | null)[]
  }
  return sourcesContent?.[sources?.indexOf(source) ?? -1] ?? undefined
}

/** Names that a build of before made short say nothing; of a method its own name is enough. */
const readable = (written: string | undefined): string | undefined =>
  /^(?:async )?(?:[\w$]+\.)?([\w$]{3,})$/.exec(written ?? "")?.[1]

const placed = (text: string, mapOf: (bundle: string) => SourceMap | undefined): Placed => {
  const [, written, bundle = "", line = "0", column = "0"] = inBundle.exec(text) ?? []
  const at = Number(column) - 1 - (line === "1" ? wrapper : 0)
  const map = bundle === "" ? undefined : mapOf(bundle)
  const entry: Entry = map?.findEntry(Number(line) - 1, at) ?? {}
  const { name, originalColumn = 0, originalLine = 0, originalSource } = entry
  if (originalSource === undefined) return { text, written, place: undefined, called: undefined }
  return {
    text,
    written,
    place: `${originalSource}:${originalLine + 1}:${originalColumn + 1}`,
    called: name,
    source: { file: originalSource, line: originalLine + 1, text: textIn(map, originalSource) }
  }
}

/** A function is named where it is called: one frame further out. */
export const sourceFrames = (stack: string): readonly Frame[] => {
  const mapOf = makeMaps()
  const frames = stack
    .split("\n")
    .flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])
    .map((text) => placed(text, mapOf))
  return frames.map(({ place, source, text, written }, at) => {
    if (place === undefined) return { text, isAuthors: false }
    const name = frames[at + 1]?.called ?? readable(written)
    const told = name === undefined ? place : `${name} (${place})`
    return { text: told, isAuthors: true, ...(source === undefined ? {} : { source }) }
  })
}

/** Of hooktape's own programs, and of Node's: minified or internal, they tell an author nothing. */
const isOurs = ({ text }: Frame): boolean =>
  /(?:^|\()(?:node:|(?:file:\/\/)?\/.*\/hooktape\/dist\/[\w-]+\.c?js:)/.test(text)

/** The frames that tell most: the author's own where there are any, else the innermost of others. */
export const tellingFrames = (stack: string, most: number): readonly string[] => {
  const frames = sourceFrames(stack)
  const own = frames.filter(({ isAuthors }) => isAuthors)
  return (own.length > 0 ? own : frames.filter((frame) => !isOurs(frame)))
    .slice(0, most)
    .map(({ text }) => text)
}
