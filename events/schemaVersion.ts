/** The version a fact of each type is written with; raised with an upcast, never in place. */
export const schemaVersion = 1
