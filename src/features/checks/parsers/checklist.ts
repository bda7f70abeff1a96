/** Lists in which every line says whether something holds: audits, doctors, wrappers that name what they could not do. */
import { byLine } from "../lines.ts"

export const checklist = byLine({
  family: "checklist",
  kind: "trace",
  marks: /^\s*[✗✘✖❌×] \S|^FAILED: /m,
  rules: [
    [
      // uv begins so what its own parser reads.
      /^\s*[✗✘✖❌×] (?!\d+ problems? |No solution found|Failed to )(\S.*)$/,
      ([, said = ""], lines, at) => {
        const detail = /^\s{4,}(\S.*)$/.exec(lines[at + 1] ?? "")?.[1] ?? ""
        const [, file] = /([\w./-]+\.\w{1,5})\b/.exec(`${detail} ${said}`) ?? []
        return {
          symbol: said.replace(/\d+/g, "").trim(),
          message: said,
          ...(file === undefined ? {} : { file })
        }
      }
    ],
    [/^FAILED: (.+)$/, ([, message = ""]) => ({ message })]
  ],
  failed: /^FAILED: /m
})
