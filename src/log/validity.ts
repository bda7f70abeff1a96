/** Tells facts we know from those we do not: one predicate per type, compiled once from its schema. */
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import { Fact } from "../../events/facts.ts"
import { upcast } from "../../events/upcast.ts"

type Check = (value: unknown) => boolean

const always: Check = () => true
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const struct = (ast: AST.TypeLiteral): Check => {
  const names = ast.propertySignatures.map(({ name }) => name as string)
  const needed = ast.propertySignatures.map(({ isOptional }) => !isOptional)
  const checks = ast.propertySignatures.map(({ type }) => compile(type))
  const [index] = ast.indexSignatures
  const value = index === undefined ? undefined : compile(index.type)
  return (input) => {
    if (!isRecord(input)) return false
    // Asked of every fact that is read: by number, without an object for each step.
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as string
      const member = input[name]
      if (member === undefined && !Object.hasOwn(input, name)) {
        if (needed[at]) return false
      } else if (!checks[at]?.(member)) return false
    }
    if (value !== undefined && value !== always) {
      for (const key in input) if (!value(input[key])) return false
    }
    return true
  }
}

const array = (ast: AST.TupleType): Check | undefined => {
  const [item] = ast.rest
  if (ast.elements.length > 0 || ast.rest.length !== 1 || item === undefined) return undefined
  const check = compile(item.type)
  return (input) => Array.isArray(input) && (check === always || input.every((element) => check(element)))
}

/** The library's own check decides whatever has no shorter form here. */
const whole = (ast: AST.AST): Check => ParseResult.is(Schema.make(ast)) as Check

const compile = (ast: AST.AST): Check => {
  switch (ast._tag) {
    case "UnknownKeyword":
    case "AnyKeyword":
      return always
    case "StringKeyword":
      return (value) => typeof value === "string"
    case "NumberKeyword":
      return (value) => typeof value === "number"
    case "BooleanKeyword":
      return (value) => typeof value === "boolean"
    case "Literal":
      return (value) => value === ast.literal
    case "Union": {
      const checks = ast.types.map(compile)
      return (value) => checks.some((check) => check(value))
    }
    case "TypeLiteral":
      return struct(ast)
    case "TupleType":
      return array(ast) ?? whole(ast)
    case "Refinement": {
      // A brand asks nothing of a value, and its filter is not worth a call per row.
      const from = compile(ast.from)
      const exact = whole(ast)
      return (value) => from(value) && exact(value)
    }
    default:
      return whole(ast)
  }
}

const literalType = (ast: AST.AST): string | undefined => {
  if (ast._tag !== "TypeLiteral") return undefined
  const type = ast.propertySignatures.find(({ name }) => name === "type")?.type
  return type?._tag === "Literal" && typeof type.literal === "string" ? type.literal : undefined
}

const members = (ast: AST.AST): readonly AST.AST[] =>
  ast._tag === "Union" ? ast.types.flatMap(members) : [ast]

const checks: ReadonlyMap<string, Check> = new Map(
  members(Schema.typeSchema(Fact).ast).flatMap((ast): [string, Check][] => {
    const type = literalType(ast)
    return type === undefined ? [] : [[type, compile(ast)]]
  })
)

/** The types of all facts this version knows. */
export const knownTypes: readonly string[] = [...checks.keys()]

/** A stored fact in today's shape, and whether we know it; what we do not know comes back as it is. */
export const decodeFact = (
  type: string,
  schemaVersion: number,
  stored: unknown
): { readonly data: unknown; readonly known: boolean } => {
  const shape = upcast(type, schemaVersion, stored)
  const known = shape !== undefined && checks.get(type)?.(shape.data) === true
  return known ? { data: shape.data, known } : { data: stored, known }
}

/** The same from JSON text; text that is no JSON comes back as text. */
export const decodeText = (
  type: string,
  schemaVersion: number,
  text: string
): { readonly data: unknown; readonly known: boolean } => {
  try {
    return decodeFact(type, schemaVersion, JSON.parse(text))
  } catch {
    return { data: text, known: false }
  }
}
