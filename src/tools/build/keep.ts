/** Compiles one hook file with all it imports into a script that needs none of its sources any more. */
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { build } from "esbuild"
import { type Concerning, contentsOf, portable } from "../../trust/digest.ts"
import { isKept, isNewerKept, type KeptHook, writeKept } from "../../trust/kept.ts"
import { BuildError } from "./BuildError.ts"
import type { FoundHook } from "./check.ts"
import type { Core } from "./core.ts"
import type { Inspected } from "./inspect.ts"
import { hookFiles, inPackage, type Reading } from "./resolve.ts"

export interface Keeping {
  readonly core: Core
  readonly state: string
  readonly digest: string
  /** What paths are relative to. */
  readonly base: string
  readonly inspected: Inspected
  readonly hooks: readonly FoundHook[]
  readonly settings: Concerning
}

const compile = (core: Core, { file, locals }: Inspected) => {
  const reading: Reading = { files: new Map(locals), seen: new Map(), project: undefined, open: false }
  return build({
    entryPoints: [file],
    absWorkingDir: dirname(file),
    outfile: join(dirname(file), "kept.cjs"),
    write: false,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    legalComments: "none",
    logLevel: "silent",
    tsconfigRaw: {},
    plugins: [hookFiles(core, reading)]
  })
}

const keptHook = ({ fields, hook, metadata, name, on, path }: FoundHook): KeptHook => ({
  name,
  path,
  hook,
  on,
  fields: fields as KeptHook["fields"],
  ...(metadata === undefined ? {} : { metadata })
})

/** Once for each content, whichever version it was that kept it. */
export const keep = Effect.fn("build.keep")(function* (keeping: Keeping) {
  const { base, core, digest, hooks, inspected, settings, state } = keeping
  if (isKept(state, digest) || isNewerKept(state, digest)) return
  const { file, locals, owner } = inspected
  yield* Effect.tryPromise({
    try: async () => {
      const { outputFiles } = await compile(core, inspected)
      const own = [...locals].filter(([path]) => !inPackage(path))
      writeKept(
        state,
        {
          digest,
          kind: "hook",
          owner,
          file: portable(base, file),
          contents: contentsOf(base, locals),
          texts: Object.fromEntries(own.map(([path, text]) => [portable(base, path), text])),
          settings,
          hooks: hooks.map(keptHook),
          ...(inspected.effect === undefined ? {} : { effect: true })
        },
        outputFiles[0]?.text ?? ""
      )
    },
    catch: (cause) =>
      new BuildError({
        op: "write",
        problems: [{ file, reason: `cannot be kept as it is: ${String(cause)}` }]
      })
  })
})
