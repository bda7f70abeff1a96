/** What was checked as JUnit's XML, which continuous integration of every make shows: a suite for each check, a case for each thing. */
import { placeOf } from "../../hooks/Problem.ts"
import { type Checked, type Finding, isError } from "./Finding.ts"

const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;"
}

/** XML 1.0 has no place for other control characters, not even as references. */
const escaped = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"\n]/g, (one) => named[one] ?? one)

const failure = (finding: Finding): string => {
  const { detail, message, remedy, rule } = finding
  const text = [`${placeOf(finding)}: ${message}`, remedy, detail]
    .filter((line) => line !== undefined)
    .join("\n")
  return `      <failure type="${rule}" message="${escaped(message)}">${escaped(text)}</failure>\n`
}

const testCase = (check: string, name: string, inside: string): string =>
  inside === ""
    ? `    <testcase classname="hooktape.${check}" name="${escaped(name)}"/>\n`
    : `    <testcase classname="hooktape.${check}" name="${escaped(name)}">\n${inside}    </testcase>\n`

const casesOf = ({ check, findings, looked, skipped }: Checked): readonly string[] => {
  if (skipped !== undefined)
    return [testCase(check, check, `      <skipped message="${escaped(skipped)}"/>\n`)]
  const failed = new Map<string, Finding[]>(looked.map((name) => [name, []]))
  for (const finding of findings.filter(isError))
    failed.set(finding.file, [...(failed.get(finding.file) ?? []), finding])
  return [...failed].map(([name, those]) => testCase(check, name, those.map(failure).join("")))
}

const suite = (checked: Checked): string => {
  const { check, findings, skipped } = checked
  const cases = casesOf(checked)
  const failures = new Set(findings.filter(isError).map(({ file }) => file)).size
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped === undefined ? 0 : 1}"`
  return `  <testsuite name="hooktape ${check}" ${counts}>\n${cases.join("")}  </testsuite>\n`
}

export const toJunit = (all: readonly Checked[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hooktape check">\n${all.map(suite).join("")}</testsuites>\n`
