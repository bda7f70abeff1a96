/**
 * Lays out the machines for the inspector's statecharts, from their definitions: `node .ci/layouts.mjs` writes
 * src/programs/inspector/machines/layouts.json. The page computes no layout; a test says when the file is stale.
 */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import ELK from "elkjs/lib/elk.bundled.js"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
export const layoutsFile = join(root, "src/programs/inspector/machines/layouts.json")

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value])
const named = (transition) => (typeof transition === "string" ? { target: transition } : transition)
const targetOf = ({ target }) =>
  target === undefined ? undefined : String(list(target)[0]).replace(/^[.#]?/, "")

/** What a machine says of itself: its states, the facts each keeps or moves on. */
export const chartOf = ({ id, config }) => {
  const everywhere = Object.entries(config.on ?? {})
  const states = Object.entries(config.states).map(([name, state]) => {
    const rows = []
    const arrows = []
    for (const [fact, given] of [...Object.entries(state.on ?? {}), ...everywhere]) {
      const transitions = list(given).map(named)
      const stays = transitions.some((one) => targetOf(one) === undefined || targetOf(one) === name)
      if (stays && state.on?.[fact] !== undefined) rows.push(fact)
      for (const to of new Set(transitions.map(targetOf)))
        if (to !== undefined && to !== name) arrows.push({ fact, to })
    }
    return {
      name,
      isFinal: state.type === "final",
      rows: state.type === "final" ? [] : rows,
      arrows: state.type === "final" ? [] : arrows
    }
  })
  const between = new Map()
  for (const { name, arrows } of states)
    for (const { fact, to } of arrows) {
      const key = `${name} ${to}`
      between.set(key, { from: name, to, facts: [...(between.get(key)?.facts ?? []), fact] })
    }
  return {
    machine: id,
    initial: config.initial,
    /** Facts that every state takes and stays in. */
    anywhere: everywhere
      .filter(([, given]) => list(given).some((one) => targetOf(named(one)) === undefined))
      .map(([fact]) => fact),
    states: states.map(({ isFinal, name, rows }) => ({ name, isFinal, rows })),
    arrows: [...between.values()]
  }
}

export const hashOf = (chart) => createHash("sha256").update(JSON.stringify(chart)).digest("hex").slice(0, 16)

/** The invocation is looked at most: it is laid out by hand, along the way that a call takes. */
const byHand = {
  invocation: {
    width: 1208,
    height: 194,
    states: {
      buffering: [14, 44, 176, 62],
      handling: [330, 2, 236, 163],
      emitting: [752, 44, 190, 78],
      exiting: [1064, 54, 108, 46]
    },
    arrows: {
      "buffering handling": [
        [190, 75],
        [330, 75]
      ],
      "handling emitting": [
        [566, 83],
        [752, 83]
      ],
      "emitting exiting": [
        [942, 77],
        [1064, 77]
      ],
      "buffering emitting": [
        [102, 106],
        [102, 186],
        [847, 186],
        [847, 122]
      ]
    },
    upright: {
      width: 312,
      height: 506,
      states: {
        buffering: [8, 26, 296, 56],
        handling: [8, 124, 296, 163],
        emitting: [8, 344, 296, 72],
        exiting: [8, 456, 296, 42]
      },
      arrows: {
        "buffering handling": [
          [156, 82],
          [156, 124]
        ],
        "handling emitting": [
          [156, 287],
          [156, 344]
        ],
        "emitting exiting": [
          [156, 416],
          [156, 456]
        ],
        "buffering emitting": [
          [304, 54],
          [310, 54],
          [310, 380],
          [304, 380]
        ]
      }
    }
  }
}

const placedByHand = (chart, { arrows, height, states, width }) => ({
  width,
  height,
  states: chart.states.map(({ name }) => {
    if (states[name] === undefined)
      throw new Error(`${chart.machine}: the layout by hand has no state ${name}`)
    return states[name]
  }),
  arrows: chart.arrows.map(({ from, to }) => {
    const points = arrows[`${from} ${to}`]
    if (points === undefined)
      throw new Error(`${chart.machine}: the layout by hand has no arrow from ${from} to ${to}`)
    return points
  })
})

const stateSize = { width: 84, height: 30 }

const placedByElk = async (chart) => {
  const graph = await new ELK().layout({
    id: chart.machine,
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": "RIGHT",
      "elk.edgeRouting": "ORTHOGONAL",
      "elk.layered.spacing.nodeNodeBetweenLayers": "34",
      "elk.spacing.nodeNode": "16",
      "elk.padding": "[top=8,left=8,bottom=8,right=8]"
    },
    children: chart.states.map(({ name }) => ({ id: name, ...stateSize })),
    edges: chart.arrows.map(({ from, to }, nth) => ({ id: String(nth), sources: [from], targets: [to] }))
  })
  const places = new Map(graph.children.map((one) => [one.id, one]))
  const round = (value) => Math.round(value * 10) / 10
  return {
    width: Math.ceil(graph.width),
    height: Math.ceil(graph.height),
    states: chart.states.map(({ name }) => {
      const { height, width, x, y } = places.get(name)
      return [round(x), round(y), width, height]
    }),
    arrows: graph.edges.map(({ sections: [{ bendPoints = [], endPoint, startPoint }] }) =>
      [startPoint, ...bendPoints, endPoint].map(({ x, y }) => [round(x), round(y)])
    )
  }
}

const laidOut = async (chart) => {
  const hand = byHand[chart.machine]
  return {
    ...chart,
    hash: hashOf(chart),
    layout: hand === undefined ? await placedByElk(chart) : placedByHand(chart, hand),
    ...(hand?.upright === undefined ? {} : { upright: placedByHand(chart, hand.upright) })
  }
}

/** Whatever `machines/` exports with a definition. */
export const definedMachines = async () => {
  const cache = join(root, "node_modules", ".cache", "hooktape")
  mkdirSync(cache, { recursive: true })
  // Inside node_modules, so that packages are found from there.
  const outdir = mkdtempSync(join(cache, "machines-"))
  try {
    const sources = readdirSync(join(root, "machines"))
      .filter((name) => name.endsWith(".ts"))
      .sort()
    await build({
      absWorkingDir: root,
      entryPoints: sources.map((name) => join("machines", name)),
      outdir,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      packages: "external",
      platform: "node",
      format: "esm",
      logLevel: "warning"
    })
    const found = new Map()
    for (const name of sources) {
      const module = await import(pathToFileURL(join(outdir, name.replace(/ts$/, "mjs"))).href)
      for (const one of Object.values(module))
        if (one?.definition?.config?.states !== undefined) found.set(one.id, one.definition)
    }
    return [...found.values()]
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const charts = []
  for (const definition of await definedMachines()) charts.push(await laidOut(chartOf(definition)))
  writeFileSync(layoutsFile, `${JSON.stringify(charts)}\n`)
  console.log(`layouts: ${charts.map(({ machine }) => machine).join(", ")}`)
}
