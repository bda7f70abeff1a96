/** What a view of calls says where there is none on the log, and what to do about it. */
import { counted } from "../core/format.ts"
import { status } from "../core/stream.ts"
import { Empty } from "../parts/say.tsx"

export const NoCallYet = () => {
  const agents = status.value?.agents.length ?? 0
  return (
    <Empty title="No call yet.">
      {agents === 0 ? (
        <>
          <p>No agent knows of hooktape here. Register its hooks first:</p>
          <code>hooktape install</code>
        </>
      ) : (
        <p>Hooks are registered for {counted(agents, "agent")}: start one here.</p>
      )}
    </Empty>
  )
}
