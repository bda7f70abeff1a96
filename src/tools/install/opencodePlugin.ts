/**
 * The plugin that stands between OpenCode, which has no command hooks, and our client: a module of one file that OpenCode loads. It tells
 * what happens to the commands of `hooktape.json` above it, one JSON document each, and does what they answer
 * (`src/agents/opencode/rules.ts`). Without that file, or without a client, it is silent.
 */
import { pluginCommandsText } from "./pluginCommands.ts"

export const opencodePluginText = `// Starts the commands of hooktape.json, in the folder above. Written by "hooktape install --agent opencode", the same for everyone.
${pluginCommandsText}
export const Hooktape = async ({ client, directory, worktree }) => {
  const hooks = registered()
  const own = basename(folder) === ".opencode" ? dirname(folder) : worktree
  const env = { ...process.env, OPENCODE_PROJECT_DIR: own && own !== "/" ? own : directory }
  /** By id, what is known of a session: its parent, its name as a subagent, its turn, the last words said in it. */
  const sessions = new Map()
  /** Calls that were blocked here, or told of as failed already: OpenCode reports both as errors. */
  const ended = new Set()
  /** Words for the model, to stand beside the result of a call. */
  const beside = new Map()

  const sessionOf = (id) => {
    const known = sessions.get(id) ?? { id }
    sessions.set(id, known)
    return known
  }

  /** OpenCode says of a session that it makes whose child it is; of one that is taken up again it is asked. */
  const describe = async (id) => {
    const session = sessionOf(id)
    if (session.isKnown) return session
    session.isKnown = true
    const answer = await client.session.get({ path: { id } }).catch(() => undefined)
    session.parent = answer?.data?.parentID
    return session
  }

  /** The session at the root, with whose id everything is told. */
  const rootOf = (session, depth = 0) =>
    session.parent === undefined || depth > 20 ? session : rootOf(sessionOf(session.parent), depth + 1)

  /** As things stand when it happens, whenever it is told. */
  const payloadOf = (event, session, fields) => {
    const root = rootOf(session)
    return {
      hook_event_name: event,
      session_id: root.id,
      cwd: directory,
      ...(root.turn === undefined ? {} : { turn_id: root.turn }),
      ...(session === root ? {} : { agent_id: session.id, agent_type: session.agent ?? "" }),
      ...fields
    }
  }

  const tell = async (payload) => {
    const answer = await answersOf(hooks, payload, directory, env)
    if (answer.hint !== "") toast(answer.hint, "info")
    return answer
  }

  const call = (event, session, fields) => tell(payloadOf(event, session, fields))

  /** What OpenCode does not wait for goes on beside it, in order, and is over before it ends. */
  let following = Promise.resolve()
  const later = (work) => {
    following = following.then(work).catch(() => {})
  }
  const callLater = (event, session, fields) => {
    const payload = payloadOf(event, session, fields)
    later(() => tell(payload))
  }

  /** Where OpenCode has a screen it is shown there; nothing waits for it. */
  const toast = (message, variant) => {
    Promise.resolve(client.tui?.showToast?.({ body: { title: "hooktape", message, variant } })).catch(() => {})
  }

  /** After the human's own words, as a part that OpenCode does not show as theirs. */
  const addText = (output, session, text) => {
    const last = output.parts.at(-1)?.id
    const id = isText(last) ? \`\${last}z\` : \`prt_\${Date.now()}\`
    output.parts.push({ id, type: "text", text, synthetic: true, sessionID: session.id, messageID: output.message.id })
  }

  const prompted = async (input, output) => {
    const session = await describe(input.sessionID)
    const prompt = output.parts
      .filter(({ type, synthetic }) => type === "text" && synthetic !== true)
      .map(({ text }) => text)
      .join("\\n")
    const isOurs = session.followUp !== undefined && prompt === session.followUp
    session.followUp = undefined
    session.isGoingOn = isOurs
    session.isWorking = true
    session.said = undefined
    const contexts = []
    if (session.parent !== undefined) {
      session.agent ??= output.message.agent
      contexts.push((await call("SubagentStart", session, {})).context)
    } else {
      session.turn = output.message.id
      if (session.isOpen !== true) {
        session.isOpen = true
        const model = output.message.model
        contexts.push((await call("SessionStart", session, {
          source: session.isNew === true ? "startup" : "resume",
          ...(isText(model?.modelID) ? { model: model.modelID } : {})
        })).context)
      }
      if (!isOurs) {
        const answer = await call("UserPromptSubmit", session, { prompt })
        if (answer.isBlock) {
          // What is thrown at a prompt OpenCode keeps in its own log.
          toast(answer.reason, "error")
          throw new Error(answer.reason)
        }
        contexts.push(answer.context)
      }
    }
    const text = contexts.filter(isText).join("\\n\\n")
    if (text !== "") addText(output, session, text)
  }

  const stopped = (session) => {
    if (session.isWorking !== true) return
    session.isWorking = false
    const said = session.said === undefined ? {} : { last_assistant_message: session.said }
    if (session.parent !== undefined) return callLater("SubagentStop", session, said)
    const payload = payloadOf("Stop", session, { stop_hook_active: session.isGoingOn === true, ...said })
    later(async () => {
      const { isBlock, reason } = await tell(payload)
      // Whoever has gone on by then needs no reason to.
      if (!isBlock || session.isWorking) return
      session.followUp = reason
      await client.session.promptAsync({ path: { id: session.id }, body: { parts: [{ type: "text", text: reason }] } })
    })
  }

  const failed = ({ callID, sessionID, state, tool }) => {
    if (state?.status !== "error" || ended.has(callID)) return
    ended.add(callID)
    beside.delete(callID)
    const error = String(state.error ?? "")
    const fields = { tool_name: tool, tool_input: state.input ?? {}, tool_use_id: callID, error }
    const byHand = /rejected permission|aborted/i.test(error)
    callLater("PostToolUseFailure", sessionOf(sessionID), { ...fields, is_interrupt: byHand })
  }

  const ofEvent = {
    "session.created": ({ info, sessionID }) => {
      const session = sessionOf(info?.id ?? sessionID)
      Object.assign(session, { isKnown: true, isNew: true, parent: info?.parentID, agent: info?.agent })
    },
    "session.idle": ({ sessionID }) => stopped(sessionOf(sessionID)),
    "session.error": ({ error, sessionID }) => {
      if (!isText(sessionID)) return
      const session = sessionOf(sessionID)
      // A turn that did not come to its end has no other beside.
      session.isWorking = false
      if (error?.name === "MessageAbortedError") return callLater("Interrupt", session, {})
      const message = error?.data?.message
      callLater("StopFailure", session, {
        error: error?.name ?? "unknown",
        ...(isText(message) ? { error_details: message } : {})
      })
    },
    "session.compacted": ({ sessionID }) => callLater("PostCompact", sessionOf(sessionID), {}),
    "session.deleted": ({ info }) => {
      const session = sessions.get(info?.id)
      sessions.delete(info?.id)
      if (session?.isOpen === true) callLater("SessionEnd", session, { reason: "deleted" })
    },
    "permission.asked": ({ patterns, permission, sessionID }) =>
      callLater("Notification", sessionOf(sessionID), {
        message: \`OpenCode asks for permission: \${permission} \${(patterns ?? []).join(", ")}\`.trim(),
        notification_type: "permission_prompt"
      }),
    "message.part.updated": ({ part }) => (part?.type === "tool" ? failed(part) : undefined)
  }

  return {
    event: async ({ event }) => {
      ofEvent[event.type]?.(event.properties)
    },
    "chat.message": prompted,
    "tool.execute.before": async ({ callID, sessionID, tool }, output) => {
      const session = await describe(sessionID)
      const fields = { tool_name: tool, tool_input: output.args ?? {}, tool_use_id: callID }
      const answer = await call("PreToolUse", session, fields)
      if (answer.isBlock) {
        ended.add(callID)
        throw new Error(answer.reason)
      }
      if (Object.keys(answer.args).length > 0) Object.assign(output.args, answer.args)
      if (answer.context !== "") beside.set(callID, answer.context)
    },
    "tool.execute.after": async ({ args, callID, sessionID, tool }, result) => {
      const { content, metadata = {}, output, title } = result
      const { output: again, ...rest } = metadata
      const answer = await call("PostToolUse", await describe(sessionID), {
        tool_name: tool,
        tool_input: args ?? {},
        tool_use_id: callID,
        tool_response: {
          ...(isText(title) ? { title } : {}),
          ...(typeof output === "string" ? { output } : {}),
          ...(Array.isArray(content) ? { content } : {}),
          metadata: again === output ? rest : metadata
        }
      })
      const text = [beside.get(callID), answer.context].filter(isText).join("\\n\\n")
      beside.delete(callID)
      if (answer.output !== "" && typeof output === "string") result.output = answer.output
      if (text === "") return
      if (typeof output === "string") result.output += \`\\n\\n\${text}\`
      else if (Array.isArray(content)) content.push({ type: "text", text })
    },
    "experimental.text.complete": async ({ sessionID }, { text }) => {
      sessionOf(sessionID).said = text
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const { context } = await call("PreCompact", await describe(sessionID), {})
      if (context !== "" && Array.isArray(output.context)) output.context.push(context)
    },
    dispose: async () => {
      await following
      for (const session of sessions.values())
        if (session.isOpen === true && session.parent === undefined)
          await call("SessionEnd", session, { reason: "exit" })
    }
  }
}
`
