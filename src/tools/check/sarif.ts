/** What was found as SARIF 2.1.0 (OASIS), which shows each finding at its line in a code review. */
import { type Checked, type Finding, rules } from "./Finding.ts"

const result = ({ column, file, level, line, message, remedy, rule }: Finding): unknown => ({
  ruleId: rule,
  level,
  message: { text: remedy === undefined ? message : `${message}\n${remedy}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: encodeURI(file), uriBaseId: "%SRCROOT%" },
        ...(line === undefined
          ? {}
          : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } })
      }
    }
  ]
})

export const toSarif = (all: readonly Checked[], version: string): string => {
  const driver = {
    name: "hooktape",
    version,
    rules: Object.entries(rules).map(([id, text]) => ({ id, shortDescription: { text } }))
  }
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results: all.flatMap(({ findings }) => findings.map(result)) }]
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
