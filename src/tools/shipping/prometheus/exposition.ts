/** Prometheus' text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). Pure. */

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** What stands behind the family's name: of a histogram `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string
  readonly labels: Labels
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: readonly Sample[]
}

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const escaped = (text: string): string => text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")

const labelled = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replace(/"/g, '\\"')}"`
  )
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const numberOf = (value: number): string => (value === Infinity ? "+Inf" : String(value))

/** Families without samples are left out. */
export const expositionOf = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ help, name, samples, type }) =>
        `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${samples
          .map(({ labels, suffix = "", value }) => `${name}${suffix}${labelled(labels)} ${numberOf(value)}\n`)
          .join("")}`
    )
    .join("")
