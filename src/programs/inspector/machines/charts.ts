/** The machines as they were when the page was built: states, arrows and where they stand. Made by `.ci/layouts.mjs`. */
import layouts from "./layouts.json" with { type: "json" }

/** x, y, width, height. */
export type Place = readonly [number, number, number, number]

export interface Layout {
  readonly width: number
  readonly height: number
  /** In the order of the chart's states and arrows. */
  readonly states: readonly Place[]
  readonly arrows: readonly (readonly (readonly [number, number])[])[]
}

export interface Chart {
  readonly machine: string
  readonly initial: string
  readonly anywhere: readonly string[]
  readonly states: readonly {
    readonly name: string
    readonly isFinal: boolean
    readonly rows: readonly string[]
  }[]
  readonly arrows: readonly {
    readonly from: string
    readonly to: string
    readonly facts: readonly string[]
  }[]
  readonly layout: Layout
  readonly upright?: Layout
}

const charts = layouts as unknown as readonly Chart[]

export const chartOf = (machine: string): Chart | undefined => charts.find((one) => one.machine === machine)
