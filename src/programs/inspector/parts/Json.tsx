/** JSON as a tree that opens; what is short stands open. */

const isShort = (value: unknown): boolean => JSON.stringify(value).length < 400

const Value = ({
  depth,
  name,
  value
}: {
  readonly name?: string
  readonly value: unknown
  readonly depth: number
}) => {
  const label = name === undefined ? null : <span class="k">{name}: </span>
  if (typeof value === "string")
    return (
      <div>
        {label}
        <span class="s">{value}</span>
      </div>
    )
  if (value === null || typeof value !== "object")
    return (
      <div>
        {label}
        <span class="l">{String(value)}</span>
      </div>
    )
  const entries = Object.entries(value)
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  if (entries.length === 0)
    return (
      <div>
        {label}
        {open}
        {close}
      </div>
    )
  return (
    <details open={depth < 1 || isShort(value)}>
      <summary>
        {label}
        <span class="muted">
          {open} {entries.length} {close}
        </span>
      </summary>
      <Entries entries={entries} depth={depth + 1} />
    </details>
  )
}

const Entries = ({
  depth,
  entries
}: {
  readonly entries: readonly (readonly [string, unknown])[]
  readonly depth: number
}) => (
  <div style={{ paddingLeft: "14px" }}>
    {entries.map(([name, value]) => (
      <Value key={name} name={name} value={value} depth={depth} />
    ))}
  </div>
)

/** A text that may be JSON is shown as what it is. */
export const Json = ({ label, value }: { readonly value: unknown; readonly label: string }) => {
  let read = value
  if (typeof value === "string")
    try {
      read = JSON.parse(value)
    } catch {
      read = value
    }
  const isTree = typeof read === "object" && read !== null
  return (
    <section class="code json mono" tabIndex={0} aria-label={label}>
      {isTree ? <Value value={read} depth={0} /> : <pre>{String(read)}</pre>}
    </section>
  )
}
