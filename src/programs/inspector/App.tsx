/** The frame: views at the left, title and search above, the view itself. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { clock, counted } from "./core/format.ts"
import { view } from "./core/router.ts"
import { goneSince, missed } from "./core/stream.ts"
import { token } from "./core/token.ts"
import { Gate } from "./parts/Gate.tsx"
import { Help } from "./parts/Help.tsx"
import { Rail } from "./parts/Rail.tsx"
import { Empty } from "./parts/say.tsx"
import { Top } from "./parts/Top.tsx"
import { LiveView } from "./views/LiveView.tsx"

/** Views that are fetched when somebody goes there. */
const later: Readonly<Record<string, () => Promise<ComponentType>>> = {
  call: () => import("./views/CallView.tsx").then(({ CallView }) => CallView),
  session: () => import("./views/SessionView.tsx").then(({ SessionView }) => SessionView),
  log: () => import("./views/LogView.tsx").then(({ LogView }) => LogView),
  hooks: () => import("./views/HooksView.tsx").then(({ HooksView }) => HooksView),
  jobs: () => import("./views/JobsView.tsx").then(({ JobsView }) => JobsView),
  chains: () => import("./views/ChainsView.tsx").then(({ ChainsView }) => ChainsView),
  metrics: () => import("./views/MetricsView.tsx").then(({ MetricsView }) => MetricsView),
  health: () => import("./views/HealthView.tsx").then(({ HealthView }) => HealthView),
  actors: () => import("./views/ActorsView.tsx").then(({ ActorsView }) => ActorsView),
  whatif: () => import("./views/WhatIfView.tsx").then(({ WhatIfView }) => WhatIfView)
}

const loaded = new Map<string, ComponentType>([["live", LiveView]])

const View = ({ name }: { readonly name: string }) => {
  const [, redraw] = useState(0)
  useEffect(() => {
    if (loaded.has(name)) return
    later[name]?.().then(
      (component) => {
        loaded.set(name, component)
        redraw((n) => n + 1)
      },
      // A host of another build has other files.
      () => location.reload()
    )
  }, [name])
  const Shown = loaded.get(name)
  if (Shown !== undefined) return <Shown />
  if (later[name] !== undefined) return <div class="view" aria-busy="true" />
  return (
    <div class="view">
      <Empty title="There is no such view.">
        <a class="link" href="/live">
          See what goes on
        </a>
      </Empty>
    </div>
  )
}

const Notice = () => {
  if (goneSince.value !== null)
    return (
      <div class="notice" role="status">
        The inspector stopped at {clock(goneSince.value)}. Trying again; this is what it had.
      </div>
    )
  if (missed.value !== null && missed.value > 0)
    return (
      <div class="notice calm" role="status">
        {counted(missed.value, "fact")} came meanwhile.
        <button
          type="button"
          class="lnk"
          onClick={() => {
            missed.value = null
          }}
        >
          Good
        </button>
      </div>
    )
  return <div />
}

export const App = () => {
  if (token.value === null) return <Gate />
  return (
    <div class="frame">
      <a class="skip" href="#view">
        To the content
      </a>
      <Rail />
      <main class="stage" id="view">
        <Top />
        <Notice />
        <View name={view.value} />
      </main>
      <Help />
    </div>
  )
}
