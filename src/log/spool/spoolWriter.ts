/** Writes the facts of one invocation to the spool: one file, one line and one write per fact, nothing but node:fs. */
import { closeSync, constants, openSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { InvocationId } from "../../../events/ids.ts"
import type { RedactedDraft } from "../../redact/redact.ts"
import { messageOf } from "../../state/messageOf.ts"
import { newFile, privateDirectory } from "../../state/state.ts"
import { identityOf } from "../identityOf.ts"
import { spoolLine } from "./spoolLine.ts"

/** The spool cannot take a fact. Whoever drives the invocation lets the agent go on. */
export class SpoolError extends Error {
  override readonly name = "SpoolError"
  readonly op: "open" | "append" | "close"
  constructor(op: SpoolError["op"], cause: unknown) {
    super(`spool ${op}: ${messageOf(cause)}`, { cause })
    this.op = op
  }
}

/** The facts of one invocation on their way to the log. */
export interface SpoolWriter {
  /** Where the facts go until `close`. */
  readonly path: string
  readonly append: (draft: RedactedDraft) => void
  /** Hands the file over to ingest: renamed from `.ndjson.open` to `.ndjson`. A second call does nothing. */
  readonly close: () => void
  /** Takes back all that was appended: whoever could not write the whole keeps it. */
  readonly discard: () => void
}

export const spoolDirectory = (state: string): string => join(state, "spool")

/** Opens the file of one invocation. A second process with the same id is refused. */
export const openSpool = (state: string, invocation: InvocationId): SpoolWriter => {
  let fd: number
  let path: string
  let ready: string
  try {
    privateDirectory(state)
    ready = join(privateDirectory(spoolDirectory(state)), `${invocation}.ndjson`)
    path = `${ready}.open`
    fd = openSync(path, newFile, 0o600)
  } catch (cause) {
    throw new SpoolError("open", cause)
  }
  const before = identityOf(fd)
  /** A handler that closed it must not have our facts in a file of its own, nor keep them from ours. */
  const regain = (): void => {
    if (identityOf(fd) === before) return
    const again = openSync(path, constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))
    if (identityOf(again) !== before) {
      closeSync(again)
      throw new Error("it is another file now")
    }
    fd = again
  }
  let open = true
  let lines = 0
  let torn = false
  const append = (draft: RedactedDraft): void => {
    if (!open) throw new SpoolError("append", "already closed")
    try {
      regain()
      const line = Buffer.from(`${torn ? "\n" : ""}${spoolLine(draft)}`)
      // A short write goes on where it stopped; a full disk tears the line, which ingest then sets aside.
      torn = true
      for (let at = 0; at < line.length; ) at += writeSync(fd, line, at)
      torn = false
      lines++
    } catch (cause) {
      throw new SpoolError("append", cause)
    }
  }
  const close = (): void => {
    if (!open) return
    open = false
    try {
      if (identityOf(fd) === before) closeSync(fd)
      if (lines === 0) unlinkSync(path)
      else renameSync(path, ready)
    } catch (cause) {
      throw new SpoolError("close", cause)
    }
  }
  const discard = (): void => {
    if (!open) return
    open = false
    for (const act of [() => closeSync(fd), () => unlinkSync(path)]) {
      try {
        act()
      } catch {
        // The other is done all the same.
      }
    }
  }
  return { path, append, close, discard }
}
