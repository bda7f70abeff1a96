/** Takes what should not have been kept out of files beside the log: copies of transcripts, lines that were set aside, logs. */
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { deliveriesFolder, forgetDeliveries } from "../../history/deliveries.ts"
import { forgotten, writingsOf } from "../../redact/withoutText.ts"
import { writeWhole } from "../../state/files.ts"

/** Folders of the state that hold what agents and tools said. Elsewhere are programs, keys and what undoes an installation. */
const holding = [
  "backups/sessions",
  deliveriesFolder,
  "spool",
  "spool/errors",
  "logs",
  "run",
  "run/session-monitor"
]

const plainFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true)
  } catch {
    return []
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const read = (file: string): { readonly text: string; readonly zipped: boolean } | undefined => {
  try {
    const bytes = readFileSync(file)
    const zipped = isGzip(bytes)
    const plain = zipped ? gunzipSync(bytes) : bytes
    const text = plain.toString("utf8")
    // What is no text is none of what is looked for: programs, sockets' leftovers, sealed calls.
    return Buffer.from(text, "utf8").equals(plain) ? { text, zipped } : undefined
  } catch {
    return undefined
  }
}

/** Copies of the log that migrations kept: whatever was forgotten is in them too. Without one the log is taken back by statements. */
export const forgetLogCopies = (state: string): readonly string[] => {
  const copies = plainFiles(join(state, "backups")).filter((file) => file.endsWith("-log.sqlite"))
  for (const file of copies) rmSync(file, { force: true })
  return copies.map((file) => relative(state, file))
}

/** Which of them were changed, as paths within the state. */
export const forgetTextInFiles = (state: string, text: string): readonly string[] => {
  const writings = writingsOf(text)
  return holding
    .flatMap((folder) => plainFiles(join(state, folder)))
    .filter((file) => {
      const found = read(file)
      if (found === undefined || !writings.some((writing) => found.text.includes(writing))) return false
      const left = writings.reduce((rest, writing) => rest.replaceAll(writing, forgotten), found.text)
      writeWhole(file, found.zipped ? gzipSync(left) : left)
      return true
    })
    .map((file) => relative(state, file))
}

/** Copies of a session's transcript, by the names that `session-backup` gives them, and lines of it that were set aside. */
export const forgetSessionInFiles = (
  state: string,
  session: string,
  isBackupOf: (name: string) => boolean
): readonly string[] => {
  const backups = plainFiles(join(state, "backups", "sessions")).filter((file) =>
    isBackupOf(relative(join(state, "backups", "sessions"), file))
  )
  const quoted = JSON.stringify(session)
  const setAside = [join("spool", "errors"), join("run", "session-monitor")]
    .flatMap((folder) => plainFiles(join(state, folder)))
    .filter((file) => {
      const found = read(file)
      // A line that was set aside stands in its file as a JSON string.
      return (
        found?.text.includes(quoted) === true ||
        found?.text.includes(JSON.stringify(quoted).slice(1, -1)) === true
      )
    })
  const gone = [...backups, ...setAside]
  for (const file of gone) rmSync(file, { force: true })
  const waiting = forgetDeliveries(state, (one) => one.session === session)
  return [...gone, ...waiting].map((file) => relative(state, file))
}

/** What background hooks of a call found out, and nobody has heard. */
export const forgetCallInFiles = (state: string, invocation: string): readonly string[] =>
  forgetDeliveries(state, (one) => one.invocation === invocation).map((file) => relative(state, file))

/** Programs, which hold words of their own, and nobody's secret: taking one out would break the hooks. */
const programs = /^(?:bin|cache)(?:$|\/)/

/** Files of the state, builds of hooks among them, in which the text can still be read. */
export const filesWith = (state: string, text: string): readonly string[] => {
  const writings = writingsOf(text)
  const walk = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (programs.test(relative(state, path).split(sep).join("/"))) return []
      if (entry.isDirectory()) return walk(path)
      if (!entry.isFile()) return []
      try {
        const bytes = readFileSync(path)
        const plain = isGzip(bytes) ? gunzipSync(bytes) : bytes
        return writings.some((writing) => plain.includes(writing)) ? [relative(state, path)] : []
      } catch {
        return []
      }
    })
  return walk(state)
}
