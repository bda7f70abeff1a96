/** Pack `databases`: clients with what they are told, and tools that make a database anew. */
import { type Call, textsOf } from "../Call.ts"
import { standardInput, writtenText } from "../input.ts"
import type { Language, Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { isOfOwnContainer, isOfTestUrl, isPassing } from "./passingDatabases.ts"
import { asksElsewhere, isGivenDump } from "./remoteDatabases.ts"
import { deletesDocuments, deletesRows, judgeDocuments, judgeKeys, judgeSql, sqlClients } from "./sql.ts"
import { rows, type Tools, tools, words } from "./table.ts"
import { filesDo, filesIncluded, toldFile } from "./toldFiles.ts"

const anew = "makes the database anew and loses what is in it"
const drops = "drops a database"

export const databaseTools: Tools = {
  ...tools("dropdb dropuser", () => ({ hasHost: true, rows: rows("databases", [/^/, drops]) })),
  ...tools("mysqladmin mariadb-admin", () => ({
    hasHost: true,
    rows: rows("databases", [/(?:^| )(?:drop|shutdown|flush-\w+|kill)(?: |$)/, drops])
  })),
  ...tools("pg_restore", () => ({
    hasHost: true,
    rows: rows("databases", [/^/, "drops what is there first", { with: / (?:--clean|-\w*c\w*|-c) / }])
  })),
  ...tools("mongorestore", () => ({
    hasHost: true,
    rows: rows("databases", [/^/, "drops what is there first", { with: / --drop / }])
  })),
  ...tools("pg_ctl pg_ctlcluster pg_dropcluster pg_resetwal", () => ({
    rows: rows(
      "databases",
      [
        /(?:^| )(?:stop|promote|main)(?: |$)/,
        "stops the database",
        { with: / (?:-m ?i\w*|--mode[= ]immediate|-f|--force|--stop) / }
      ],
      [/^\d+ \S+$/, drops, { with: / --stop / }]
    )
  })),
  ...tools("prisma", () => ({
    rows: rows(
      "databases",
      [/^migrate reset\b/, anew],
      [/^db push\b/, anew, { with: / --(?:force-reset|accept-data-loss) / }],
      [/^db execute\b/, "runs SQL that nobody sees", { with: / --stdin / }]
    )
  })),
  ...tools("rails rake bin/rails", () => ({
    valued: words("-e -f -R -r -I -C"),
    rows: rows(
      "databases",
      [
        /^(?:runner|r) (?:(?!\.where\b).)*\b(?:delete_all|destroy_all|drop_table|drop_database|truncate(?:_tables?)?)\b/,
        "deletes every row"
      ],
      [
        /(?:^| )db:(?:drop|reset|purge|truncate_all|migrate:reset|schema:load|structure:load|rollback:all|seed:replant|drop:\w+|setup|environment:set)(?::\w+)?(?: |$)/,
        anew
      ]
    )
  })),
  ...tools("manage.py django-admin", () => ({
    valued: words("-v"),
    rows: rows(
      "databases",
      [/^(?:flush|reset_db|sqlflush-x|delete_\w+)\b|^migrate \S+ zero\b/, anew],
      [/^shell(?:_plus)?\b.*\.all\(\)\.delete\(\)/, "deletes every row"]
    )
  })),
  ...tools("artisan", () => ({
    rows: rows(
      "databases",
      [/^(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/, anew, { without: / --env[= ]test(?:ing)? / }],
      [/^tinker\b/, "deletes every row", { with: /::truncate\(|->truncate\(|::query\(\)->delete\(/ }]
    )
  })),
  ...tools("mix", () => ({
    rows: rows(
      "databases",
      [/^(?:do )?(?:ecto\.(?:drop|reset)|ash\.reset)\b/, anew],
      [/^hex\.(?:publish|retire)\b/, "makes it public under a version that cannot be used again"]
    )
  })),
  ...tools("alembic flask", () => ({
    valued: words("-x -c -n --name -A -e"),
    rows: rows("databases", [/^(?:db )?downgrade base\b/, anew])
  })),
  ...tools(
    "knex sequelize sequelize-cli typeorm drizzle-kit mikro-orm node-pg-migrate db-migrate dbmate goose migrate atlas sqlx diesel sea-orm-cli flyway liquibase hasura sqitch phinx doctrine bin/console console graphile-migrate wasp strapi medusa directus keystone payload blitz redwood rw",
    () => ({
      rows: rows(
        "databases",
        [
          /(?:^| )(?:db:drop\S*|schema:drop|schema:fresh|migration:fresh|database (?:reset|drop)|drop|fresh|reset|clean|dropAll|drop-all|schema clean|down-to 0|down -all|doctrine:(?:database:drop|schema:drop)|migrate:fresh|migrate reset|undo:all|db:migrate:undo:all|doctrine:fixtures:load)(?: |$)/,
          anew,
          { without: / (?:--env[= ]test|--append) / }
        ],
        [/(?:^| )(?:migrate:rollback|rollback|down)(?: |$)/, anew, { with: / (?:--all|-all|-a) / }],
        [/(?:^| )push(?: |$)/, anew, { with: / --force / }]
      )
    })
  ),
  ...tools("influx", () => ({
    valued: words("-o -t -b --bucket"),
    rows: rows("databases", [/^(?:bucket delete|delete|org delete|auth delete)\b/, "deletes data"])
  })),
  ...tools("nodetool", () => ({
    rows: rows("databases", [
      /(?:^| )(?:decommission|removenode|assassinate|clearsnapshot|truncatehints)(?: |$)/,
      "takes data away"
    ])
  })),
  ...tools("cockroach", () => ({
    rows: rows("databases", [/^node (?:decommission|drain)\b/, "takes a node away"])
  }))
}

type Judge = (text: string) => string | undefined

const documentShells = new Set("mongosh mongo mongodb-shell".split(" "))
const keyShells = new Set("redis-cli valkey-cli keydb-cli memcached-tool memccli iredis".split(" "))

/** Options whose value is what the client is told. */
const tells = /^(?:-c|-e|-Q|-q|--command|--execute|--query|--eval|--sql|-cmd)$/
const toldInside = /^(?:--command|--execute|--query|--eval|--sql)=|^-[ce](?=["'A-Za-z])/

const textsTold = (call: Call): readonly string[] => {
  const texts = textsOf(call.args)
  const given = texts.flatMap((text, at) => {
    const file = toldFile.test(texts[at - 1] ?? "") ? text : /^--(?:file|init|source)=(.+)/.exec(text)?.[1]
    const written = file === undefined ? undefined : writtenText(file, call.state)
    if (written !== undefined) return [written]
    if (tells.test(texts[at - 1] ?? "")) return [text]
    const inside = toldInside.exec(text)?.[0]
    if (inside !== undefined) return [text.slice(inside.length)]
    return !text.startsWith("-") && /\s/.test(text) ? [text] : []
  })
  const input = standardInput(call)
  const told = input === undefined ? given : [...given, input]
  if (call.state.written.size === 0) return told
  const written = told.flatMap((text) => filesIncluded(text).map((file) => writtenText(file, call.state)))
  return [...told, ...written.filter((text) => text !== undefined)]
}

/** They ask the server that they are told, or the one beside them: what an application asks, only its settings say. */
const administers = /^(?:dropdb|dropuser|pg_restore|mongorestore|mysqladmin|mariadb-admin)$/

/** A database that is of tests, or was made by this line. */
export const isTestDatabase = (call: Call): boolean =>
  isPassing(call) ||
  (languageOf(call.name) === undefined && !administers.test(call.name) && isOfTestUrl(call)) ||
  ((languageOf(call.name) !== undefined || administers.test(call.name)) && isOfOwnContainer(call))

export const judges: Readonly<Record<Language, Judge>> = {
  sql: (text) =>
    judgeSql(text) ??
    (/^\s*\.(?:restore|shell)\b|^\s*\\!/m.test(text)
      ? "starts another program or overwrites the database"
      : undefined),
  documents: judgeDocuments,
  keys: judgeKeys
}

const languageOf = (name: string): Language | undefined => {
  if (sqlClients.has(name)) return "sql"
  if (documentShells.has(name)) return "documents"
  return keyShells.has(name) ? "keys" : undefined
}

/** `manage.py sqlflush | manage.py dbshell`: what empties a database, printed and run at once. */
const flushed = (call: Call): boolean =>
  /^(?:manage\.py|django-admin)$/.test(call.name) &&
  textsOf(call.args).includes("dbshell") &&
  call.upstream.some(({ words }) =>
    words.some((word) => word.some((part) => part.kind === "text" && part.text === "sqlflush"))
  )

export const judgeClient = (call: Call): Verdict | undefined => {
  if (flushed(call) && call.state.place.off?.includes("databases") !== true)
    return { rule: "databases", reason: `\`${call.name} dbshell\` empties every table.` }
  const language = languageOf(call.name)
  if (language === undefined || call.state.place.off?.includes("databases") || isTestDatabase(call))
    return undefined
  const texts = textsOf(call.args)
  const operands = keyShells.has(call.name)
    ? [
        texts
          .filter(
            (text, at) => !/^-/.test(text) && !/^-(?:h|p|a|n|u|-user|-pass|-tls)$/.test(texts[at - 1] ?? "")
          )
          .join(" ")
      ]
    : []
  // What it is fed are keys, nobody knows how many.
  if (call.fed && operands.some((text) => /^(?:DEL|UNLINK|EXPIRE \S*0)$/i.test(text.trim())))
    return { rule: "databases", reason: `\`${call.name}\` deletes every key that it is given.` }
  const told = textsTold(call)
  for (const text of [...operands, ...told]) {
    call.state.budget.left -= text.length
    const does = text === unknown ? undefined : judges[language](text)
    if (does !== undefined) return { rule: "databases", reason: `\`${call.name}\` ${does}.` }
  }
  if (language !== "keys" && asksElsewhere(call)) {
    const lost =
      language === "sql" && isGivenDump(call)
        ? "restores a dump over what is there"
        : told.map(language === "sql" ? deletesRows : deletesDocuments).find((one) => one !== undefined)
    if (lost !== undefined)
      return { rule: "databases", reason: `\`${call.name}\` ${lost} on a server that is not this machine.` }
  }
  const does = filesDo(call, language, told)
  return does === undefined
    ? undefined
    : { rule: "databases", reason: `\`${call.name}\` reads a file that ${does}.` }
}
