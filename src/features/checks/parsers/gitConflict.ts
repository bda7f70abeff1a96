/** Conflicts that git leaves to be settled: it says so in the middle of what else it says, and often with exit code 0. */
import { byLine } from "../lines.ts"

export const gitConflict = byLine({
  family: "git",
  marks: /^CONFLICT \(/m,
  rules: [
    [
      /^CONFLICT \(([^)]+)\): .*?(?:\bin |deleted in .+ modified in .+ of |: )?(\S+)$/,
      ([, sort = "", file = ""]) => ({ code: "conflict", file, message: sort })
    ]
  ]
})
