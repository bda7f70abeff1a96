/** What the state directory keeps about installations: one record per settings file, one backup per change. */
import { createHash } from "node:crypto"
import { promises as fs } from "node:fs"
import { basename, join } from "node:path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { refuseNewer } from "../../state/newerFile.ts"
import { privateDirectory } from "../../state/state.ts"
import { attempt, deleteFile, ensureDirectory, readText, writeAtomically } from "./files.ts"
import { InstallRecord } from "./record.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

export const recordFile = (state: string, target: string): string =>
  join(state, "installs", `${sha256(target).slice(0, 16)}.json`)

const decodeRecord = Schema.decodeUnknownOption(Schema.parseJson(InstallRecord))

/** A record that is missing or not readable any more is only a worse memory: the entries themselves are recognised. */
export const readRecordFile = (file: string): Effect.Effect<InstallRecord | undefined> =>
  readText(file).pipe(
    Effect.map((text) => Option.getOrUndefined(decodeRecord(text ?? ""))),
    Effect.orElseSucceed(() => undefined)
  )

export const readRecord = (state: string, target: string): Effect.Effect<InstallRecord | undefined> =>
  readRecordFile(recordFile(state, target))

export const writeRecord = Effect.fn("install.writeRecord")(function* (
  state: string,
  target: string,
  record: InstallRecord
) {
  const file = recordFile(state, target)
  yield* attempt(
    "record",
    file,
    "write over it",
    "Update this hooktape; the settings were not changed.",
    async () => refuseNewer(file)
  )
  yield* ensureDirectory(join(state, "installs"), 0o700)
  yield* writeAtomically("record", file, `${JSON.stringify(record, null, 2)}\n`, 0o600)
})

export const deleteRecord = (state: string, target: string) => deleteFile(recordFile(state, target))

/** Keeps the text as it was; answers with the file it is kept in. */
export const backUp = Effect.fn("install.backUp")(function* (state: string, target: string, text: string) {
  const directory = join(state, "backups")
  yield* attempt(
    "backup",
    directory,
    "write backups there",
    "The settings were not changed.",
    // Behind a link they would be somebody else's to read.
    async () => void privateDirectory(directory)
  )
  const now = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:]/g, "")
  const file = join(directory, `${now}-${sha256(text).slice(0, 12)}-${basename(target)}`)
  yield* attempt(
    "backup",
    file,
    "write the backup",
    "Make room or permission for it; the settings were not changed.",
    () =>
      // Of the same instant with the same content there is one already.
      fs.writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== "EEXIST") throw cause
      })
  )
  return file
})
