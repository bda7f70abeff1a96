/** Who lives, who is stuck: every kind of actor as its machine, now or at a moment; one actor from its first fact on. */
import { useEffect, useState } from "preact/hooks"
import type { Actor, ActorHistory, ActorKind, Actors } from "../../../features/inspector/contract/actors.ts"
import { actorTitle, machineTitle } from "../core/actorTitles.ts"
import { ask } from "../core/api.ts"
import { counted, dayed, exactClock, oneLine, span } from "../core/format.ts"
import { useKeys } from "../core/keys.ts"
import { addressOf, query, select } from "../core/router.ts"
import { hear, status } from "../core/stream.ts"
import { useAsk } from "../core/useAsk.ts"
import { SmallChart } from "../parts/SmallChart.tsx"
import { Steps } from "../parts/Steps.tsx"
import { Empty, Shown } from "../parts/say.tsx"

const lookOf = (state: string): string =>
  ({
    dead: "failed",
    loud: "failed",
    killed: "failed",
    lost: "unknown",
    waiting: "late",
    done: "ok",
    exiting: "ok",
    stopped: "unknown",
    ended: "unknown",
    dropped: "unknown"
  })[state] ?? "accent"

const Line = ({
  actor,
  at,
  isSelected
}: {
  readonly actor: Actor
  readonly at: number
  readonly isSelected: boolean
}) => (
  <li class={isSelected ? "sel" : ""}>
    <span class={`tag ${lookOf(actor.state)}`}>{actor.state}</span>
    {actor.invocation !== null ? (
      <a class="link ell" href={addressOf(["call", actor.invocation])}>
        {oneLine(actor.subject)}
      </a>
    ) : actor.session !== null ? (
      <a class="link ell" href={addressOf(["session", actor.session])}>
        {oneLine(actor.subject)}
      </a>
    ) : (
      <span class="ell">{oneLine(actor.subject)}</span>
    )}
    <span class="num muted sm">{span(Math.max(0, at - actor.since))}</span>
    <button
      type="button"
      class="lnk"
      onClick={() => select({ actor: actor.stream })}
      aria-label={`History of ${actor.subject}`}
    >
      history
    </button>
  </li>
)

const Kind = ({
  at,
  chosen,
  kind
}: {
  readonly kind: ActorKind
  readonly at: number
  readonly chosen: string | undefined
}) => (
  <section class="card">
    <div class="hd">
      <h2>{machineTitle(kind.machine)}</h2>
      <span class="note">
        {kind.known === "unknown" ? "not on the log" : `${kind.alive} of ${kind.total} alive`}
        {kind.known === "live" ? ", told by the host" : ""}
      </span>
    </div>
    <div class="act">
      <SmallChart machine={kind.machine} label={machineTitle(kind.machine)} states={kind.states} />
      {kind.note !== null && <p class="note">{kind.note}</p>}
      {kind.actors.length === 0 && kind.known !== "unknown" && <p class="note">None lives.</p>}
      <ul>
        {kind.actors.slice(0, 8).map((actor) => (
          <Line key={actor.stream} actor={actor} at={at} isSelected={actor.stream === chosen} />
        ))}
      </ul>
      {kind.actors.length > 8 && <p class="note">and {kind.actors.length - 8} more</p>}
    </div>
  </section>
)

const History = ({ history: { machine, steps, stream, subject } }: { readonly history: ActorHistory }) => (
  <section class="card">
    <div class="hd">
      <h2>
        {actorTitle(machine)} {oneLine(subject)}
      </h2>
      <span class="note">
        {counted(steps.length, "fact")}
        {steps.length > 1 ? ` in ${span((steps.at(-1)?.at ?? 0) - (steps[0]?.at ?? 0))}` : ""}, last:{" "}
        {steps.at(-1)?.says ?? "none"}
      </span>
      <span class="sp" />
      <a class="link sm" href={addressOf(["log"], { stream })}>
        Its facts
      </a>
    </div>
    <Steps machine={machine} steps={steps} />
  </section>
)

/** Moments between the first call and now. */
const MomentBar = ({ actors }: { readonly actors: Actors }) => {
  const asked = query.value["t"]
  const first = status.value?.first ?? actors.at
  const last = status.value?.now ?? actors.at
  const at = asked === undefined ? last : Number(asked)
  const go = (to: number): void => select({ t: to >= last ? null : Math.round(Math.max(first, to)) })
  const step = Math.max(100, (last - first) / 400)
  useKeys({ ArrowLeft: () => go(at - step), ArrowRight: () => go(at + step), f: () => select({ t: null }) })
  return (
    <section class="card moment-bar" aria-label="Moment">
      <div class="line">
        <button type="button" class="btn only" aria-label="Earlier" onClick={() => go(at - step)}>
          ←
        </button>
        <button
          type="button"
          class="btn only"
          aria-label="Later"
          disabled={asked === undefined}
          onClick={() => go(at + step)}
        >
          →
        </button>
        <span class="big num">{asked === undefined ? "Now" : dayed(at)}</span>
        <span class="muted">
          {asked === undefined
            ? "All actors as they are."
            : `${exactClock(at)}, ${span(last - at)} ago. All actors as they were after the last fact before this moment.`}
        </span>
        <span class="sp" />
        {asked !== undefined && (
          <button type="button" class="btn" onClick={() => select({ t: null })}>
            Back to now
          </button>
        )}
      </div>
      <input
        type="range"
        aria-label="Moment"
        min={first}
        max={Math.max(last, first + 1)}
        step={1}
        value={at}
        aria-valuetext={dayed(at)}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </section>
  )
}

export const ActorsView = () => {
  const { actor, t } = query.value
  const [live, put] = useState<Actors | undefined>(undefined)
  useEffect(() => (t === undefined ? hear("actors", put) : undefined), [t])
  const asked = useAsk(`actors ${t ?? ""}`, (signal) => ask("actors", { at: t }, "", signal))
  const history = useAsk(
    `history ${actor ?? ""}`,
    (signal) => (actor === undefined ? Promise.resolve(null) : ask("history", { stream: actor }, "", signal)),
    live?.position ?? 0
  )
  const isNewer = t === undefined && live !== undefined && live.position >= (asked.value?.position ?? 0)
  return (
    <div class="view">
      <Shown asked={isNewer ? { ...asked, value: live } : asked} waiting="Reading the actors">
        {(actors) => (
          <div class="pad">
            <MomentBar actors={actors} />
            {actor !== undefined && (
              <Shown asked={history} waiting="Reading its history">
                {(one) => one !== null && <History history={one} />}
              </Shown>
            )}
            {actors.kinds.length === 0 ? (
              <Empty title="No actor was seen yet.">
                <p>Each call of a hook is one.</p>
              </Empty>
            ) : (
              <div class="pop">
                {actors.kinds.map((kind) => (
                  <Kind key={kind.machine} kind={kind} at={actors.at} chosen={actor} />
                ))}
              </div>
            )}
          </div>
        )}
      </Shown>
    </div>
  )
}
