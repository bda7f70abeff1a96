/** As much of JSON Schema as the schemas that Codex ships need: an opinion on its documents that is not ours. */

type Node = { readonly [keyword: string]: unknown }

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const understood = new Set([
  "$ref",
  "additionalProperties",
  "allOf",
  "const",
  "definitions",
  "enum",
  "properties",
  "required",
  "type"
])

/** Why a value does not fit; nothing when it does. A keyword this does not know is an error, never ignored. */
export const violations = (root: Node, value: unknown, node: Node = root, at = "$"): readonly string[] => {
  for (const keyword of Object.keys(node))
    if (!understood.has(keyword)) throw new Error(`unknown keyword ${keyword}`)
  const found: string[] = []
  const ref = node["$ref"]
  if (typeof ref === "string") {
    const definition = (root["definitions"] as { readonly [name: string]: Node })[
      ref.replace("#/definitions/", "")
    ]
    if (!definition) throw new Error(`no definition ${ref}`)
    found.push(...violations(root, value, definition, at))
  }
  for (const part of (node["allOf"] as readonly Node[] | undefined) ?? [])
    found.push(...violations(root, value, part, at))
  const types = node["type"] === undefined ? undefined : [node["type"]].flat()
  if (types && !types.includes(typeOf(value))) found.push(`${at} is ${typeOf(value)}`)
  if (node["enum"] && !(node["enum"] as readonly unknown[]).includes(value))
    found.push(`${at} is ${String(value)}`)
  if ("const" in node && node["const"] !== value) found.push(`${at} is not ${String(node["const"])}`)
  if (typeOf(value) !== "object") return found
  const own = value as { readonly [name: string]: unknown }
  const properties = (node["properties"] ?? {}) as { readonly [name: string]: Node | true }
  for (const name of (node["required"] as readonly string[] | undefined) ?? [])
    if (!Object.hasOwn(own, name)) found.push(`${at}.${name} is missing`)
  for (const [name, item] of Object.entries(own)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined) {
      if (node["additionalProperties"] === false) found.push(`${at}.${name} is unknown`)
    } else if (property !== true) found.push(...violations(root, item, property, `${at}.${name}`))
  }
  return found
}
