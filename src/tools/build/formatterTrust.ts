/** Configurations of formatters that are code: which a project has, whether somebody said yes to what they are, and saying it. */
import { readdirSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { configurationContent } from "../../features/format/configurationContent.ts"
import { configurationsIn } from "../../features/format/prettierCode.ts"
import { realPath } from "../../runtime/builds/discover.ts"
import { levelsOf, repositoryTop } from "../../state/levels.ts"
import { messageOf } from "../../state/messageOf.ts"
import { hashOf } from "../../trust/digest.ts"
import { readKept, writeKept } from "../../trust/kept.ts"
import { placeOf, readLast, writeLast } from "../../trust/place.ts"
import { isInForce, readTrust, type Trusted, withoutRevoked, withTrusted } from "../../trust/store.ts"
import { unifiedDiff } from "../install/diff.ts"
import { changeTrust } from "./addTrusted.ts"
import { BuildError } from "./BuildError.ts"
import type { Change, TrustedFile } from "./trust.ts"

export interface ReviewedFormatter {
  /** As seen from the project. */
  readonly file: string
  readonly change: Change
  readonly diff: string
  readonly files: readonly TrustedFile[]
  readonly digest: string
  /** Its absolute path. */
  readonly root: string
  /** The repository, and what counts of its files, by their places in it. */
  readonly top: string
  readonly texts: Readonly<Record<string, string>>
}

export interface FormatterOptions {
  readonly state: string
  readonly project: string
  readonly again: readonly string[]
}

const mostFolders = 5000

/** Breadth first: where there are more folders than one wants to wait for, the nearest count. */
const foldersBelow = (project: string): readonly string[] => {
  const found = [project]
  for (const folder of found) {
    if (found.length >= mostFolders) break
    try {
      const entries = readdirSync(folder, { withFileTypes: true })
      const isOther = folder !== project && entries.some(({ name }) => name === ".git")
      if (isOther) continue
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
          found.push(join(folder, entry.name))
    } catch {
      // A folder that nobody may read has no configuration for anybody.
    }
  }
  return found
}

const slashed = (from: string, file: string): string => relative(from, file).split(sep).join("/")

const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

export const reviewFormatters = Effect.fn("trust.formatters")(function* (options: FormatterOptions) {
  const { again, state } = options
  const project = realPath(options.project) ?? options.project
  const store = withoutRevoked(readTrust(state), again)
  const folders = [...new Set([...levelsOf(project), ...foldersBelow(project)])]
  return yield* Effect.sync(() =>
    folders.flatMap(configurationsIn).flatMap((own): readonly ReviewedFormatter[] => {
      const content = configurationContent(own)
      if ("unsure" in content) return []
      const { file } = own
      const { digest } = content
      const top = repositoryTop(dirname(file)) ?? dirname(file)
      const last = readLast(state, placeOf(top, file))
      const was = last === undefined ? undefined : readKept(state, last.digest)
      const same = isInForce(store, digest)
      const files = [...content.texts].map(([path, text]): TrustedFile => {
        const hash = hashOf(bytes(text))
        const before = was?.contents[path]
        const change = same || before === hash ? "same" : before === undefined ? "new" : "changed"
        return { file: slashed(project, join(top, path)), hash, change }
      })
      const texts = Object.fromEntries(
        [...content.texts].map(([path, text]) => [path, bytes(text).toString()])
      )
      const names = was === undefined ? [] : [...new Set([...Object.keys(was.texts), ...Object.keys(texts)])]
      return [
        {
          file: slashed(project, file),
          change: same
            ? "same"
            : Object.hasOwn(store.revoked, digest)
              ? "revoked"
              : was === undefined
                ? "new"
                : "changed",
          diff: same
            ? ""
            : names
                .map((path) => unifiedDiff(slashed(project, join(top, path)), was?.texts[path], texts[path]))
                .join(""),
          files,
          digest,
          root: file,
          top,
          texts
        }
      ]
    })
  )
})

/** What was reviewed is what is trusted, whatever stands in the files by now. */
export const trustFormatters = Effect.fn("trust.formatters.accept")(function* (
  { again, state }: FormatterOptions,
  reviewed: readonly ReviewedFormatter[]
) {
  const at = yield* Clock.currentTimeMillis
  const accepted = reviewed.filter(({ change }) => change !== "revoked")
  yield* Effect.try({
    try: () => {
      const trusted = accepted.map(({ digest, files, root, texts, top }): Trusted => {
        const file = slashed(top, root)
        writeKept(state, {
          digest,
          kind: "formatter",
          owner: "project",
          file,
          contents: Object.fromEntries(Object.keys(texts).map((path, nth) => [path, files[nth]?.hash ?? ""])),
          texts,
          settings: {},
          hooks: []
        })
        return { digest, kind: "formatter", names: [], project: top, file, at }
      })
      for (const { digest, root, top } of accepted) writeLast(state, placeOf(top, root), digest)
      if (trusted.length > 0) changeTrust(state, (now) => withTrusted(withoutRevoked(now, again), trusted))
    },
    catch: (cause) =>
      new BuildError({
        op: "write",
        problems: [{ file: join(state, "trust.json"), reason: `cannot be written: ${messageOf(cause)}` }]
      })
  })
  return accepted
})
