/** What is wrong with a question or an act, in one line: each field by its name, without the shape of the schema behind it. */
import * as ParseResult from "effect/ParseResult"

export const whatIsWrong = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ path, message }) =>
      path.length === 0 ? "not an object" : `${path.map(String).join(".")}: ${message}`
    )
    .join("; ")
