/** `bun test`. */
import { byLine } from "../lines.ts"

export const bunTest = byLine({
  family: "bun test",
  marks: /^bun test v|^\s*\d+ fail$/m,
  rules: [[/^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/, ([, test = ""]) => ({ test, message: "failed" })]],
  failed: /^ *[1-9]\d* (?:fail|errors?)$/m,
  passed: /^ *0 fail$/m
})
