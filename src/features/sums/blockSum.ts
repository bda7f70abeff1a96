/**
 * Which hooks kept an agent from a tool call, and which of these calls got past later, unchanged, in the same session: blocks that may have
 * been wrong. Of what is shipped as of what is on a log with its findings.
 */
import * as Schema from "effect/Schema"
import type { KeyedFold } from "../../log/KeyedFold.ts"

export interface BlockCount {
  readonly hook: string
  /** The version of a team's policy that brought it; null of any other hook. */
  readonly from: string | null
  readonly blocks: number
  readonly lifted: number
}

interface OpenCall {
  readonly stream: string
  /** The tool and what it was asked for, as a digest. */
  readonly about: string
  readonly by?: string
  readonly brought: Readonly<Record<string, string>>
}

interface Block {
  readonly about: string
  readonly hook: string
  readonly from: string | null
}

export interface BlockSum {
  readonly open: readonly OpenCall[]
  /** Those that were not lifted so far. */
  readonly standing: readonly Block[]
  readonly counts: readonly BlockCount[]
}

const { optional } = Schema
const Fields = Schema.Struct({
  findings: optional(
    Schema.Struct({
      about: optional(Schema.String),
      moments: optional(
        Schema.Array(Schema.Struct({ kind: optional(Schema.String), name: optional(Schema.String) }))
      )
    })
  ),
  handler: optional(Schema.String),
  from: optional(Schema.String),
  channels: optional(
    Schema.Array(Schema.Struct({ intent: optional(Schema.String), handler: optional(Schema.String) }))
  )
})
const read = Schema.decodeUnknownSync(Fields)

/** Calls that never end, and blocks that nobody contests, leave no more than this behind. */
const mostOpen = 50
const mostStanding = 200

const nothing: BlockSum = { open: [], standing: [], counts: [] }

const begun = (state: BlockSum, stream: string, { findings }: typeof Fields.Type): BlockSum => {
  const { about, moments = [] } = findings ?? {}
  const [first, ...others] = moments
  // Who asks for leave has been let through by hooks already.
  const isAsked = others.some(({ kind }) => kind === "permission")
  if (about === undefined || first?.kind !== "call-started" || isAsked) return state
  const call = { stream, about: `${first.name ?? ""} ${about}`, brought: {} }
  return { ...state, open: [...state.open, call].slice(-mostOpen) }
}

const changed = (state: BlockSum, stream: string, change: (call: OpenCall) => OpenCall): BlockSum => ({
  ...state,
  open: state.open.map((call) => (call.stream === stream ? change(call) : call))
})

const counted = (
  counts: readonly BlockCount[],
  { from, hook }: Block,
  added: { readonly blocks: number; readonly lifted: number }
): readonly BlockCount[] => {
  const isOf = (one: BlockCount): boolean => one.hook === hook && one.from === from
  const before = counts.find(isOf) ?? { hook, from, blocks: 0, lifted: 0 }
  const after = {
    ...before,
    blocks: before.blocks + added.blocks,
    lifted: before.lifted + added.lifted
  }
  return [...counts.filter((one) => !isOf(one)), after]
}

const ended = (state: BlockSum, stream: string): BlockSum => {
  const call = state.open.find((one) => one.stream === stream)
  if (call === undefined) return state
  const open = state.open.filter((one) => one !== call)
  const { about, brought, by } = call
  if (by !== undefined) {
    const block: Block = { about, hook: by, from: brought[by] ?? null }
    return {
      open,
      standing: [...state.standing, block].slice(-mostStanding),
      counts: counted(state.counts, block, { blocks: 1, lifted: 0 })
    }
  }
  const lifted = state.standing.filter((one) => one.about === about)
  return {
    open,
    standing: state.standing.filter((one) => one.about !== about),
    counts: lifted.reduce((counts, one) => counted(counts, one, { blocks: 0, lifted: 1 }), state.counts)
  }
}

export const blockSums: KeyedFold<BlockSum> = {
  name: "block_sums",
  version: 1,
  types: ["PAYLOAD_BUFFERED", "HANDLER_SUCCEEDED", "REPLY_DELIVERED", "EXITED"],
  reads: ["PAYLOAD_BUFFERED", "HANDLER_SUCCEEDED", "REPLY_DELIVERED"],
  keysOf: ({ place }) => (place.session === null ? [] : [place.session]),
  step: (before, { data, place: { stream }, type }) => {
    const state = before ?? nothing
    // By far the most: nothing of them is looked at.
    if (type === "EXITED") return ended(state, stream)
    const fields = read(data)
    switch (type) {
      case "PAYLOAD_BUFFERED":
        return begun(state, stream, fields)
      case "HANDLER_SUCCEEDED": {
        const { from, handler } = fields
        return handler === undefined || from === undefined
          ? state
          : changed(state, stream, (call) => ({ ...call, brought: { ...call.brought, [handler]: from } }))
      }
      case "REPLY_DELIVERED": {
        const by = fields.channels?.find(({ intent }) => intent === "BLOCKING_FEEDBACK")?.handler
        return by === undefined ? state : changed(state, stream, (call) => ({ ...call, by }))
      }
      default:
        return state
    }
  }
}
