/** The transcripts that can be read, and whose a file is. */
import type { JsonObject } from "../../../events/intents.ts"
import { claudeCodeTranscript } from "../../agents/claude-code/transcript.ts"
import { codexTranscript } from "../../agents/codex/transcript.ts"
import { geminiCliTranscript } from "../../agents/gemini-cli/transcript.ts"
import type { TranscriptFormat } from "../../agents/transcripts/Transcript.ts"
import { fileRows, headBytes, maxRowBytes, readDocument } from "./fileRows.ts"

export const formats: readonly TranscriptFormat[] = [
  codexTranscript,
  geminiCliTranscript,
  claudeCodeTranscript
]

const maxHead = 20

const headOf = (file: string): readonly JsonObject[] => {
  const document = readDocument(file)
  if (document !== undefined) return [document]
  const head: JsonObject[] = []
  for (const { row } of fileRows(file, 0, () => {}, { mostAtOnce: headBytes, to: maxRowBytes })) {
    head.push(row)
    if (head.length >= maxHead) break
  }
  return head
}

/** By what stands at its beginning; undefined where no agent that we know writes so. */
export const formatOfFile = (file: string): TranscriptFormat | undefined => {
  const head = headOf(file)
  return formats.find((one) => one.isOwn(head))
}
