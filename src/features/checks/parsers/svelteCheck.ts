/** svelte-check, in the form for people. */
import { byLine, lineNumber } from "../lines.ts"

export const svelteCheck = byLine({
  family: "svelte-check",
  marks: /^svelte-check found \d+ errors?/m,
  rules: [
    [
      /^Error: (.+?)(?: \((\w+)\))?$/,
      ([, message = "", code], lines, at) => {
        const [, file, line] = /^(\S+\.\w+):(\d+):\d+$/.exec(lines[at - 1] ?? "") ?? []
        return file === undefined
          ? undefined
          : { file, message, ...(code === undefined ? {} : { code }), ...lineNumber(line) }
      }
    ]
  ],
  failed: /^svelte-check found [1-9]\d* errors?/m,
  passed: /^svelte-check found 0 errors/m
})
