/** An agent's own tools, called in a way they do not take: texts of Claude Code, Codex, Gemini CLI and others. */
import { byLine } from "../lines.ts"

export const misuse = byLine({
  family: "misuse",
  kind: "trace",
  marks:
    /not (?:been )?(?:found|read)|No such tool|InputValidation|modified since|matches? of the string|identical|verification failed|must (?:be|have|first)|invalid|0 occurrences|Failed to find|unexpectedly modified|No changes/i,
  rules: [
    [
      /(?:String to replace not found|old_string .*not found|0 occurrences found|could not find the string|Failed to find (?:expected lines|context)|patch does not apply|apply_patch verification failed|verification failed)/i,
      ([message]) => ({ code: "text not found", message })
    ],
    [
      /(?:File has not been read|must (?:first )?(?:be )?read|read it first)/i,
      ([message]) => ({ code: "not read", message })
    ],
    [
      /(?:modified since (?:it was )?read|unexpectedly modified|changed since)/i,
      ([message]) => ({ code: "changed meanwhile", message })
    ],
    [
      /(?:Found \d+ matches of the string|more than one (?:match|occurrence)|not unique|multiple occurrences)/i,
      () => ({ code: "several matches", message: "several matches" })
    ],
    [
      /(?:No such tool available|tool .+ not found|unknown tool|not a known tool)/i,
      ([message]) => ({ code: "no such tool", message })
    ],
    [
      /(?:InputValidationError|invalid (?:input|arguments|parameters?)|failed to parse (?:function )?arguments|must have required|missing required parameter)/i,
      ([message]) => ({ code: "bad input", message })
    ],
    [
      /(?:old_string and new_string (?:are|must be).*|No changes to make)/i,
      ([message]) => ({ code: "no change", message })
    ]
  ]
})
