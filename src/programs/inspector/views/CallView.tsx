/** One call: what happened and why, the way it took, where the time went, who got what. */
import { useEffect, useState } from "preact/hooks"
import type { CallDetail } from "../../../features/inspector/contract/call.ts"
import { act, ask } from "../core/api.ts"
import {
  agentName,
  count,
  counted,
  exactClock,
  oneLine,
  projectName,
  shortId,
  shortSession,
  span
} from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, go, query, select, subject } from "../core/router.ts"
import { hear, status, tick } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { Icon, Mark } from "../parts/icons.tsx"
import { Json } from "../parts/Json.tsx"
import { AgentChip, givenUpOf, isSlow, lookOf, wentWell } from "../parts/outcomes.tsx"
import { Empty, Shown } from "../parts/say.tsx"
import { Waterfall } from "../parts/Waterfall.tsx"
import { NoCallYet } from "./NoCallYet.tsx"
import { Stack } from "./Stack.tsx"
import { decidingFact, StepPanel } from "./StepPanel.tsx"

export const Sentence = ({ detail: { call, sentence } }: { readonly detail: CallDetail }) => {
  const { subject: about } = call
  // What it was about stands out; the words around it are the host's.
  const at = about === null ? -1 : sentence.text.indexOf(about)
  if (about === null || at < 0) return <>{sentence.text}</>
  return (
    <>
      {sentence.text.slice(0, at).replace(/["“]$/, "")}
      <code>{oneLine(about)}</code>
      {sentence.text.slice(at + about.length).replace(/^["”]/, "")}
    </>
  )
}

const Fixture = ({ invocation }: { readonly invocation: string }) => {
  const [isAsking, askFirst] = useState(false)
  const [said, say] = useState<string | null>(null)
  const save = (): void => {
    askFirst(false)
    act("fixture", { invocation })
      .then(({ file }) => say(`Saved as ${file}`))
      .catch((cause: Error) => say(cause.message))
  }
  return (
    <>
      <button type="button" class="btn" onClick={() => askFirst(true)}>
        {said ?? "Save as fixture"}
      </button>
      <Confirm
        ask="Save this call as a fixture?"
        does="A file with the recorded payload and its reply is written into the project. hooktape test runs it from then on."
        verb="Save it"
        isOpen={isAsking}
        onNo={() => askFirst(false)}
        onYes={save}
      />
    </>
  )
}

const Lead = ({ detail }: { readonly detail: CallDetail }) => {
  const { call, newer, older, opened, sentence } = detail
  // What failed after the reply is in no outcome.
  const isWorse = sentence.kind === "warn" && wentWell(call)
  const after = givenUpOf(call) === undefined ? "late" : "failed"
  const { look, sign } = lookOf(isWorse ? after : call.outcome)
  return (
    <div class="lead">
      <span class={`badge ${look ?? "ok"}`}>
        <Mark sign={sign ?? "ok"} />
      </span>
      <div class="grow">
        <h2 class="big">
          <Sentence detail={detail} />
        </h2>
        {sentence.reason !== null && <p class="quote">“{sentence.reason}”</p>}
        <div class="meta">
          <span>
            <AgentChip agent={call.agent} /> <b>{agentName(call.agent)}</b> {call.agentEvent}
          </span>
          <span>
            {projectName(call.project)}
            {call.session !== null && (
              <>
                {", "}
                <a class="link" href={addressOf(["session", call.session], { sel: call.tool?.use ?? "" })}>
                  session {shortSession(call.session)}
                </a>
              </>
            )}
          </span>
          <span class="num">{exactClock(call.at)}</span>
          <span>
            agent waited{" "}
            <b class={isSlow(call.waitMs) ? "is-slow" : ""}>
              {call.waitMs === null ? "unknown" : span(call.waitMs)}
            </b>
          </span>
          {opened.route === "client" && <span>answered by the client</span>}
          {call.answered !== undefined && (
            <span
              title={
                call.answered === "allowed"
                  ? "It came to its end after the question."
                  : "It had not come to an end when the turn was over."
              }
            >
              you {call.answered} it
            </span>
          )}
          <code>{shortId(call.invocation)}</code>
          {call.answeredBy !== null && (
            <a class="link" href={addressOf(["call", call.answeredBy])}>
              answered by {shortId(call.answeredBy)}
            </a>
          )}
        </div>
      </div>
      <div class="acts">
        <a class="btn" href={addressOf(["whatif", call.invocation])}>
          <Icon name="whatif" /> What if…
        </a>
        {status.value?.onlyLooks !== true && <Fixture invocation={call.invocation} />}
        <button
          type="button"
          class="btn only"
          disabled={newer === null}
          aria-label="Newer call"
          onClick={() => newer !== null && go(addressOf(["call", newer]))}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="btn only"
          disabled={older === null}
          aria-label="Older call"
          onClick={() => older !== null && go(addressOf(["call", older]))}
        >
          <Icon name="down" />
        </button>
      </div>
    </div>
  )
}

const sides = ["the model", "the human", "the agent", "the log", "nobody"] as const

const Reached = ({ detail }: { readonly detail: CallDetail }) => {
  const { call, delivered, reached } = detail
  return (
    <section class="card">
      <div class="hd">
        <h2>What each side got</h2>
        {delivered !== null && (
          <span class="note">
            exit code {delivered.exitCode}
            {delivered.error === null ? "" : `, ${delivered.error}`}
          </span>
        )}
      </div>
      <div class="io">
        {delivered === null && (
          <p>
            {call.outcome === "lost"
              ? "Nothing was delivered. It was killed before the reply."
              : "Nothing was delivered yet."}
          </p>
        )}
        {sides.map((side) => {
          const got = reached.filter(({ whom }) => whom === side)
          if (side === "nobody" && got.length === 0) return null
          return (
            <div class="got" key={side}>
              <span class="c">{side.replace("the ", "").replace(/^./, (first) => first.toUpperCase())}</span>
              <div>
                {got.length === 0 && <p class="muted">nothing</p>}
                {got.map(({ by, how, text }, at) => (
                  <p key={at}>
                    {text}
                    <br />
                    <span class="x">
                      {by}, {how}
                    </span>
                  </p>
                ))}
              </div>
            </div>
          )
        })}
        {delivered !== null && delivered.stdout !== "" && (
          <Json label="Standard output" value={delivered.stdout} />
        )}
        {delivered !== null && delivered.stderr !== "" && (
          <Json label="Standard error" value={delivered.stderr} />
        )}
      </div>
    </section>
  )
}

const Came = ({ detail: { bytes, payload, rejected } }: { readonly detail: CallDetail }) => (
  <section class="card">
    <div class="hd">
      <h2>What came in</h2>
      <span class="note">{count(bytes)} bytes, secrets redacted</span>
    </div>
    <div class="io">
      {payload === null ? (
        <p>{rejected ?? "Nothing was taken in."}</p>
      ) : (
        <Json label="What came in" value={payload} />
      )}
    </div>
  </section>
)

const Noise = ({ detail: { noise } }: { readonly detail: CallDetail }) =>
  noise.length === 0 ? null : (
    <section class="card">
      <div class="hd">
        <h2>Noise</h2>
        <span class="note">written to the streams by something else than the reply</span>
      </div>
      <div class="io">
        {noise.map(({ bytes, hook, stream, text }, at) => (
          <div key={at}>
            <span class="note">
              {stream}, {count(bytes)} bytes{hook === null ? "" : `, while ${hook} ran`}
            </span>
            <Json label={`Noise on ${stream}`} value={text} />
          </div>
        ))}
      </div>
    </section>
  )

const Left = ({ detail: { left } }: { readonly detail: CallDetail }) =>
  left.length === 0 ? null : (
    <section class="card">
      <div class="hd">
        <h2>{counted(left.length, "hook")} left out</h2>
      </div>
      <ul class="left">
        {left.map(({ event, hook, reason }) => (
          <li key={`${hook} ${event}`}>
            <b>{hook}</b> <span class="muted">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )

const Detail = ({ detail }: { readonly detail: CallDetail }) => {
  const { frames, newer, older } = detail
  const asked = query.value["fact"]
  const first = decidingFact(detail)
  const at = Math.max(0, Math.min(frames.length - 1, asked === undefined ? first : Number(asked) - 1))
  const step = (to: number): void => select({ fact: Math.max(0, Math.min(frames.length - 1, to)) + 1 })
  useKeys({
    ArrowLeft: () => step(at - 1),
    ArrowRight: () => step(at + 1),
    f: () => step(first),
    j: () => older !== null && go(addressOf(["call", older])),
    k: () => newer !== null && go(addressOf(["call", newer]))
  })
  return (
    <div class="pad">
      <Lead detail={detail} />
      <StepPanel detail={detail} at={at} onStep={step} />
      <div class="two">
        <div>
          <Waterfall detail={detail} at={at} />
          <Stack detail={detail} />
          <Left detail={detail} />
        </div>
        <div>
          <Reached detail={detail} />
          <Came detail={detail} />
          <Noise detail={detail} />
        </div>
      </div>
    </div>
  )
}

/** Without an id: the newest call in which a hook had a word. */
const useInvocation = () => {
  const id = subject.value
  const { error, value } = useAsk(`call for ${id ?? "newest"}`, async (signal) => {
    if (id !== null) return id
    const { calls } = await ask("calls", { show: "effect", limit: "1" }, "", signal)
    return calls[0]?.invocation ?? null
  })
  useEffect(() => {
    if (id === null && value != null) history.replaceState(null, "", addressOf(["call", value]))
  }, [id, value])
  return { id: id ?? value, error }
}

const One = ({ id }: { readonly id: string }) => {
  const [moved, move] = useState(0)
  // While it runs it is asked for again as it moves.
  useEffect(
    () =>
      hear("calls", ({ calls }) => calls.some(({ invocation }) => invocation === id) && move((n) => n + 1)),
    [id]
  )
  const asked = useAsk(`call ${id}`, (signal) => ask("call", {}, id, signal), moved)
  return (
    <div class="view">
      <Shown asked={asked} waiting="Reading the call">
        {(detail) => <Detail detail={detail} />}
      </Shown>
    </div>
  )
}

export const CallView = () => {
  const { error, id } = useInvocation()
  void tick.value
  if (id != null) return <One id={id} />
  return (
    <div class="view">
      {id === null && <NoCallYet />}
      {error !== undefined && <Empty title={error.message} />}
    </div>
  )
}
