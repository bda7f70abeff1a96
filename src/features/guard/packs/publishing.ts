/** Pack `publishing`: what goes to a registry or is taken back from one, and what hosts repositories. */
import { rows, type Tools, tools, words } from "./table.ts"

const publishes = "makes it public under a version that cannot be used again"
const withdraws = "withdraws what others may depend on"

/** A registry of this machine, or beside it; of a name that only the run tells nothing is known. */
const nearbyRegistry =
  "(?:localhost|127\\.|0\\.0\\.0\\.0|\\[::1\\]|[\\w-]+:\\d+/|[\\w.-]+\\.(?:local|localhost|test|internal)(?::\\d+)?/)"
/** What everybody gets who names no version; and any version of what lies where everybody looks first. */
const reachesAll = `(?!${nearbyRegistry})(?:(?:[\\w-]+\\.)+[\\w-]+(?::\\d+)?/[\\w./-]+(?::latest)?|(?:(?:index\\.)?docker\\.io/)?[\\w-]+(?:/[\\w.-]+)?(?::[\\w.-]+)?)`
const replacesImage = "replaces the image that others pull"

export const publishingTools: Tools = {
  ...tools("docker podman nerdctl", () => ({
    rows: rows(
      "publishing",
      [new RegExp(`^(?:image )?push ${reachesAll}$`), replacesImage],
      [new RegExp(`^(?:image )?push (?!${nearbyRegistry})`), replacesImage, { with: / (?:-a|--all-tags) / }],
      [
        /^(?:buildx |image )?build\b/,
        replacesImage,
        { with: new RegExp(`^(?=.* --push(?:=true)? ).* (?:-t|--tag)[= ]?${reachesAll} `, "s") }
      ]
    )
  })),
  ...tools("skopeo crane", () => ({
    rows: rows("publishing", [
      new RegExp(`^(?:copy \\S+ docker://|push \\S+ |(?:copy|cp) \\S+ )${reachesAll}$`),
      replacesImage
    ])
  })),
  ...tools("npm pnpm yarn bun lerna", () => ({
    valued: words(
      "-C --dir -F --filter -w --workspace --prefix --registry --tag --access --otp --cwd --scope"
    ),
    rows: rows(
      "publishing",
      [/^(?:-r |recursive |npm |workspaces foreach |stage )?publish\b|^from-git\b/, publishes],
      [
        /^(?:npm )?(?:unpublish|deprecate|dist-tags? (?:add|rm)|owner (?:rm|add)|access (?:revoke|restricted|public)|token revoke|team (?:rm|destroy)|org rm|hook rm)\b/,
        withdraws
      ]
    )
  })),
  ...tools("changeset changesets semantic-release release-it np auto", () => ({
    rows: rows("publishing", [/^publish\b|^shipit\b/, publishes])
  })),
  ...tools("cargo", () => ({
    rows: rows(
      "publishing",
      [/^(?:publish|release|workspaces publish)\b/, publishes],
      [/^(?:yank|owner)\b/, withdraws, { without: / (?:-l|--list|--undo) / }]
    )
  })),
  ...tools("twine flit hatch uv pdm poetry rye jupyter-releaser", () => ({
    valued: words("-C -P -e"),
    rows: rows("publishing", [
      /^(?:upload|publish)\b/,
      publishes,
      { without: / (?:--repository[= ]testpypi|-r testpypi|--index[= ]testpypi) / }
    ])
  })),
  ...tools("gem", () => ({
    rows: rows("publishing", [/^push\b/, publishes], [/^(?:yank|owner)\b/, withdraws])
  })),
  ...tools("mvn mvnw mvnd", () => ({
    rows: rows("publishing", [
      /(?:^| )(?:deploy|release:perform|release:prepare|deploy:\S+|nexus-staging:release)(?: |$)/,
      publishes
    ])
  })),
  ...tools("gradle gradlew", () => ({
    rows: rows("publishing", [
      /(?:^| |:)(?:publish(?!ToMavenLocal)\w*|uploadArchives|bintrayUpload|release|closeAndRelease\w*)(?: |$)/,
      publishes
    ])
  })),
  ...tools("sbt mill", () => ({
    rows: rows("publishing", [
      /(?:^| )(?:\S+\/)?(?:publish|publishSigned|sonatypeRelease|release)(?: |$)/,
      publishes
    ])
  })),
  ...tools("dotnet nuget dotnet-ef", () => ({
    rows: [
      ...rows("publishing", [/^(?:nuget )?(?:push|delete)\b/, publishes]),
      ...rows("databases", [/^(?:ef )?database drop\b/, "drops the database"])
    ]
  })),
  ...tools("mix rebar3", () => ({
    rows: rows("publishing", [/^hex(?:\.| )(?:publish|retire)\b/, publishes])
  })),
  ...tools("pod", () => ({ rows: rows("publishing", [/^trunk (?:push|delete|deprecate)\b/, publishes]) })),
  ...tools("vsce ovsx wp jsr dart flutter pub", () => ({
    rows: rows("publishing", [/^(?:pub )?(?:publish|unpublish|lish)\b/, publishes])
  })),
  ...tools("deno", () => ({ rows: rows("publishing", [/^publish\b/, publishes]) })),
  ...tools("luarocks cabal stack opam conan helm-push crystal", () => ({
    rows: rows("publishing", [/^(?:upload|publish)\b/, publishes, {}])
  })),
  ...tools("goreleaser", () => ({
    rows: rows("publishing", [
      /^release\b/,
      publishes,
      { without: / --(?:snapshot|skip[-=]publish\S*|skip=\S*publish\S*) / }
    ])
  })),
  ...tools("gh", () => ({
    valued: words("-R --repo -o --org -e --env --hostname -H --header -f --field -F --raw-field -q --jq"),
    rows: [
      ...rows("force-push", [
        /^api\b.*\bgit\/refs\//,
        "overwrites whatever was pushed there since",
        { with: / (?:-f|-F|--field|--raw-field)[= ]?force=(?:true|1) / }
      ]),
      ...rows(
        "publishing",
        [
          /^(?:repo|release|secret|variable|gist|issue|ssh-key|gpg-key|codespace|cs|project|ruleset|label|environment) (?:delete|remove|rm|delete-asset)\b/,
          "deletes it on the server"
        ],
        [
          /^repo (?:archive|rename|edit)\b/,
          "changes what others find there",
          {
            with: /^(?:(?! --(?:description|homepage|add-topic|remove-topic|enable|delete-branch|default-branch)).)*$/
          }
        ],
        [/^api\b/, "deletes it on the server", { with: / (?:-X|--method)[= ]?DELETE / }],
        [/^api\b.*(?: |^)DELETE(?: |$)/, "deletes it on the server"],
        [/^workflow disable\b|^run delete\b/, "takes workflows away"],
        [/^release create\b/, "makes a release public", { without: / (?:--draft|-d) / }],
        [/^release edit\b/, "makes a release public", { with: / --draft=false / }],
        [/^gist (?:create|new)\b/, "shows it to everybody", { with: / (?:-p|--public)(?:=true)? / }],
        [
          /^repo (?:create|new)\b/,
          "shows what is in it to everybody",
          { with: /^(?=.* --public )(?=.* (?:--source|-s|--push)[= ])/ }
        ],
        [
          /^api\b/,
          "shows what is in it to everybody",
          { with: / (?:-f|-F|--field|--raw-field)[= ]?(?:private=false|visibility=public) / }
        ],
        [
          /^api (?:\S+ )*graphql\b/,
          "deletes it on the server",
          // The first of many is as good as any: trying each would take long.
          { with: / query=(?=([^\n]*?\bmutation\b))\1[^\n]*?\b(?:delete|archive)[A-Z]/ }
        ]
      )
    ]
  })),
  ...tools("glab hub tea bb", () => ({
    valued: words("-R"),
    rows: rows(
      "publishing",
      [
        /^(?:repo|project|release|variable|snippet|issue|mr|label|ssh-key|releases?) (?:delete|remove|rm|archive)\b|^delete\b/,
        "deletes it on the server"
      ],
      [/^api\b/, "deletes it on the server", { with: / (?:-X|--method)[= ]?DELETE / }],
      [/^release create\b/, "makes a release public"],
      [/^snippet create\b/, "shows it to everybody", { with: / (?:--visibility|-v)[= ]public / }]
    )
  }))
}
