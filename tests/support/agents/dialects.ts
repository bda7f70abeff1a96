/** How a scripted turn is said in each of the four model APIs, streamed and whole. */

export interface ToolCall {
  readonly name: string
  /** A string is a free-form ("custom") tool input, as Codex's patch tool takes it. */
  readonly input: object | string
}

/** One answer of the model. With `status` the request fails instead. */
export interface Turn {
  readonly text?: string
  readonly tool?: ToolCall
  readonly tools?: ReadonlyArray<ToolCall>
  readonly status?: number
}

export type Dialect = "anthropic" | "openai" | "chat" | "gemini" | "other"

/** Server-sent events of a streamed answer, and the same answer as one document. */
export interface Answer {
  readonly events: ReadonlyArray<readonly [name: string | null, data: object]>
  readonly whole: object
}

type Body = Readonly<Record<string, unknown>>

const calls = (turn: Turn): ReadonlyArray<ToolCall> => [
  ...(turn.tool === undefined ? [] : [turn.tool]),
  ...(turn.tools ?? [])
]

const anthropic = (turn: Turn, n: number, request: Body): Answer => {
  const content = [
    ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
    ...calls(turn).map((call, i) => ({
      type: "tool_use",
      id: `toolu_${n}_${i}`,
      name: call.name,
      input: call.input
    }))
  ]
  const usage = {
    input_tokens: 10,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0
  }
  const ended = { stop_reason: calls(turn).length > 0 ? "tool_use" : "end_turn", stop_sequence: null }
  const message = { id: `msg_${n}`, type: "message", role: "assistant", model: request["model"], usage }
  const blocks = content.flatMap((block, index): Array<[string, object]> => {
    const [empty, delta] =
      "text" in block
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: block.text }
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
          ]
    return [
      ["content_block_start", { type: "content_block_start", index, content_block: empty }],
      ["content_block_delta", { type: "content_block_delta", index, delta }],
      ["content_block_stop", { type: "content_block_stop", index }]
    ]
  })
  return {
    whole: { ...message, content, ...ended },
    events: [
      [
        "message_start",
        {
          type: "message_start",
          message: { ...message, content: [], stop_reason: null, stop_sequence: null }
        }
      ],
      ...blocks,
      ["message_delta", { type: "message_delta", delta: ended, usage: { output_tokens: 10 } }],
      ["message_stop", { type: "message_stop" }]
    ]
  }
}

const openaiCall = (call: ToolCall, n: number, i: number): object =>
  typeof call.input === "string"
    ? {
        type: "custom_tool_call",
        id: `ctc_${n}_${i}`,
        call_id: `call_${n}_${i}`,
        name: call.name,
        input: call.input,
        status: "completed"
      }
    : {
        type: "function_call",
        id: `fc_${n}_${i}`,
        call_id: `call_${n}_${i}`,
        name: call.name,
        arguments: JSON.stringify(call.input),
        status: "completed"
      }

const openai = (turn: Turn, n: number): Answer => {
  const said = { type: "output_text", text: turn.text, annotations: [] }
  const message = {
    type: "message",
    id: `m_${n}`,
    role: "assistant",
    status: "completed",
    content: [said]
  }
  const output = [
    ...(turn.text === undefined ? [] : [message]),
    ...calls(turn).map((call, i) => openaiCall(call, n, i))
  ]
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20
  }
  const whole = { id: `resp_${n}`, status: "completed", output, usage }
  return {
    whole,
    events: [
      [
        "response.created",
        { type: "response.created", response: { ...whole, status: "in_progress", output: [] } }
      ],
      ...output.flatMap(
        (item, output_index): Array<[string, object]> => [
          ["response.output_item.added", { type: "response.output_item.added", output_index, item }],
          ["response.output_item.done", { type: "response.output_item.done", output_index, item }]
        ]
      ),
      ["response.completed", { type: "response.completed", response: whole }]
    ]
  }
}

/** Chat completions, which most providers have. */
const chat = (turn: Turn, n: number, request: Body): Answer => {
  const said = {
    role: "assistant",
    content: turn.text ?? null,
    ...(calls(turn).length === 0
      ? {}
      : {
          tool_calls: calls(turn).map(({ input, name }, index) => ({
            index,
            id: `call_${n}_${index}`,
            type: "function",
            function: { name, arguments: JSON.stringify(input) }
          }))
        })
  }
  const finish_reason = calls(turn).length > 0 ? "tool_calls" : "stop"
  const head = { id: `chatcmpl_${n}`, created: 1, model: request["model"] }
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  const chunk = (choices: ReadonlyArray<object>, more: object = {}): readonly [null, object] => [
    null,
    { ...head, object: "chat.completion.chunk", choices, ...more }
  ]
  return {
    whole: {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: said, finish_reason }],
      usage
    },
    events: [
      chunk([{ index: 0, delta: said, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage })
    ]
  }
}

const gemini = (turn: Turn): Answer => {
  const parts = [
    ...(turn.text === undefined ? [] : [{ text: turn.text }]),
    ...calls(turn).map((call) => ({ functionCall: { name: call.name, args: call.input } }))
  ]
  const whole = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: "scripted"
  }
  return { whole, events: [[null, whole]] }
}

export const answer = (dialect: Exclude<Dialect, "other">, turn: Turn, n: number, request: Body): Answer => {
  if (dialect === "anthropic") return anthropic(turn, n, request)
  if (dialect === "chat") return chat(turn, n, request)
  return dialect === "openai" ? openai(turn, n) : gemini(turn)
}
