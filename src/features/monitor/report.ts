/** What the operator reads at the end of a session: findings by category, the first few of each. */
import { countOf, type Finding } from "./Finding.ts"

const rule = "=".repeat(60)
const heading = "[session-monitor] hooktape health report"
const maxPerCategory = 3
const marker = { critical: "❌", warning: "⚠️" } as const

/** What was found may hold anything; a line stays a line. */
const oneLine = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim()
  return plain.length > 300 ? `${plain.slice(0, 299)}…` : plain
}

const byCategory = (findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> => {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const group = groups.get(finding.category)
    if (group === undefined) groups.set(finding.category, [finding])
    else group.push(finding)
  }
  return groups
}

export const reportOf = (findings: readonly Finding[]): string => {
  const groups = [...byCategory(findings)].flatMap(([category, group]) => {
    const more = group.length - maxPerCategory
    return [
      `${category.toUpperCase()} (${group.length}):`,
      ...group
        .slice(0, maxPerCategory)
        .flatMap(({ description, recommendation, severity }) => [
          `  ${marker[severity]} ${oneLine(description)}`,
          `     -> ${oneLine(recommendation)}`
        ]),
      ...(more > 0 ? [`  ... and ${more} more`] : []),
      ""
    ]
  })
  const totals = `Found ${findings.length} issues: ${countOf(findings, "critical")} CRITICAL, ${countOf(findings, "warning")} WARNINGS`
  return ["", rule, heading, rule, totals, "", ...groups, rule, ""].join("\n")
}
