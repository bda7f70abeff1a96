/** What was found as SARIF 2.1.0 (OASIS), which shows each finding at its line in a code review. */
import { type Checked, type Finding, rules } from "./Finding.ts"

const resultIn =
  (folder: string) =>
  ({ column, file, level, line, message, remedy, rule }: Finding): unknown => ({
    ruleId: rule,
    level,
    message: { text: remedy === undefined ? message : `${message}\n${remedy}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(`${folder}${file}`), uriBaseId: "%SRCROOT%" },
          ...(line === undefined
            ? {}
            : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } })
        }
      }
    ]
  })

/** `folder`: of the project within its repository, empty or with a slash at its end; a review knows files by the repository. */
export const toSarif = (all: readonly Checked[], version: string, folder = ""): string => {
  const driver = {
    name: "hooktape",
    version,
    rules: Object.entries(rules).map(([id, text]) => ({ id, shortDescription: { text } }))
  }
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results: all.flatMap(({ findings }) => findings.map(resultIn(folder))) }]
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
