/** Where the entrypoint's facts go. When the spool cannot be written the hook is handled all the same, and the operator is told. */
import type { InvocationId } from "../../../events/ids.ts"
import { diagnostic, type Intent } from "../../../events/intents.ts"
import { countGap } from "../../log/gaps.ts"
import { openSpool, type SpoolWriter } from "../../log/spool/spoolWriter.ts"
import { endUnreachable } from "../../log/spool/unreachable.ts"
import type { FactSink } from "../../runtime/runInvocation.ts"
import { messageOf } from "../../state/messageOf.ts"

export interface SpoolSink extends FactSink {
  readonly isRecorded: () => boolean
  /** That there is no record from the beginning is said in the reply itself. */
  readonly notices: readonly Intent[]
}

export const spoolSink = (state: string, id: InvocationId): SpoolSink => {
  let spool: SpoolWriter | undefined
  let notices: readonly Intent[] = []
  let complaint = ""
  try {
    spool = openSpool(state, id)
  } catch (error) {
    countGap(state, Date.now(), error)
    notices = [diagnostic("error", `this hook call is not recorded: ${messageOf(error)}`)]
  }
  return {
    notices,
    isRecorded: () => spool !== undefined,
    append: (drafts) => {
      for (const draft of drafts) spool?.append(draft)
    },
    failed: (error) => {
      countGap(state, Date.now(), error)
      try {
        // Nothing is left of a file that took nothing.
        spool?.close()
      } catch {
        // What it took is read once this process is gone.
      }
      spool = undefined
      complaint = `hooktape error: this hook call is not recorded completely: ${messageOf(error)}\n`
    },
    close: () => {
      try {
        spool?.close()
        if (spool !== undefined) endUnreachable(state, id)
      } catch {
        // What was appended is in the file; only its closing name is missing, and readers take it by its writer's death.
      }
    },
    complaint: () => complaint
  }
}
