/** `cargo nextest`: the same tests as those of `cargo test`. */
import { byLine } from "../lines.ts"

export const nextest = byLine({
  family: "cargo",
  marks: /^[ \t]+(?:Summary|FAIL) \[/m,
  rules: [
    [
      /^[ \t]+(?:FAIL|TIMEOUT|ABORT|SIG[A-Z]+) \[[ >]*[\d.]+s\] (?:\( *\d+\/\d+\) )?\S+ (\S+)$/,
      ([, test = ""]) => ({ test, message: "failed" })
    ]
  ],
  failed: /^[ \t]+Summary \[.{0,120}\b[1-9]\d* (?:failed|timed out)/m,
  passed: /^[ \t]+Summary \[.{0,120}\b\d+ passed/m
})
