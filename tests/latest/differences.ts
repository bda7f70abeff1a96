/** Two surveys of one agent, line by line: what is gone, and what is new. */
import type { Survey } from "./Survey.ts"

const linesOf = ({ answers, environment, events, payloads, settings }: Survey): ReadonlySet<string> =>
  new Set([
    ...events.map((event) => `event ${event}`),
    ...settings.map((key) => `setting ${key}`),
    ...environment.map((name) => `variable ${name}`),
    ...Object.entries(payloads).flatMap(([event, fields]) => [
      `payload ${event}`,
      ...fields.map((field) => `payload ${event} ${field}`)
    ]),
    ...Object.entries(answers).flatMap(([answer, outcome]) =>
      Object.entries(outcome).map(([what, value]) => `answer ${answer}, ${what}: ${JSON.stringify(value)}`)
    )
  ])

/** `- …` for what was and is no more, `+ …` for what was not; in the order of the lines themselves. */
export const differences = (before: Survey, after: Survey): ReadonlyArray<string> => {
  const [was, is] = [linesOf(before), linesOf(after)]
  const text = (line: string): string => line.slice(2)
  return [
    ...[...was].filter((line) => !is.has(line)).map((line) => `- ${line}`),
    ...[...is].filter((line) => !was.has(line)).map((line) => `+ ${line}`)
  ].sort((a, b) => (text(a) === text(b) ? 0 : text(a) < text(b) ? -1 : 1))
}
