/** Pack `infrastructure`: what describes it, and the command lines of those who host it. */
import { opened } from "./opened.ts"
import { rows, type Tools, tools, words } from "./table.ts"

const approved = / (?:-{1,2}auto-approve(?:=true)?|--yes|-y|--terragrunt-non-interactive|--skip-preview|-f) /
const noFiles = words(
  "-chdir --terragrunt-working-dir --terragrunt-config -var -var-file -state -target --stack -s -C --cwd --profile --region --output --query --endpoint-url --project --subscription -g --resource-group -n --name --app -a --context -t --token --zone --location --cli-input-json --account -c --config --team --scope --org -o"
)

/** A word that says that something goes, wherever among the first words it stands. */
const goes =
  /^(?:\S+ ){0,6}(?:[\w-]+:)?(?:delete|destroy|terminate|purge|remove|rm|deprovision|unpublish|delete-[\w-]+|destroy-[\w-]+|terminate-[\w-]+|remove-[\w-]+|[\w-]+-delete|[\w-]+-destroy|[\w-]+-cancel|reset-admin-password|reinstall|rebuild|wipe)(?: |$)/

/** Names of operations as the cloud with the most of them gives them. */
const operation =
  /^\S+ (?:delete|terminate|purge|destroy|deregister|remove|batch-delete|schedule-key-deletion|disable-key|reset|revoke|cancel|release|force-delete|deactivate|delete-stack|abort-multipart|restore-db|modify-db-instance-delete|disassociate-kms|empty|delete-objects)(?:-[\w-]+)?(?: |$)/

export const infrastructureTools: Tools = {
  ...tools("terraform tofu terragrunt cdktf terramate", () => ({
    valued: noFiles,
    rows: rows(
      "infrastructure",
      [/^(?:run-all |run |stack run |-- )?(?:destroy|apply-all|destroy-all)\b/, "destroys what it describes"],
      [
        /^(?:run-all |run )?(?:apply|deploy)\b/,
        "destroys what it describes",
        { with: / -{1,2}destroy(?:=true)? / }
      ],
      [
        /^(?:run-all |run )?(?:apply|deploy)\b/,
        "changes it without showing the plan first",
        { with: approved }
      ],
      [/^state (?:rm|push|replace-provider)\b/, "changes what it knows of what there is"],
      [/^workspace delete\b/, "deletes a workspace with its state"],
      [/^(?:force-unlock|taint)\b/, "opens the way to damage in the state"]
    )
  })),
  ...tools("pulumi", () => ({
    valued: words("-s --stack -C --cwd -c --config"),
    rows: rows(
      "infrastructure",
      [/^(?:destroy|down|dn)\b/, "destroys what it describes"],
      [/^stack rm\b|^state (?:delete|unprotect)\b|^cancel\b/, "changes what it knows of what there is"],
      [/^(?:up|update|refresh)\b/, "changes it without showing it first", { with: approved }]
    )
  })),
  ...tools(
    "cdk sam sls serverless eksctl eb copilot kops cdk8s zappa chalice up amplify sst nitric encore architect",
    () => ({
      valued: noFiles,
      rows: rows("infrastructure", [
        /^(?:\S+ ){0,2}(?:destroy|remove|delete|terminate|undeploy|rollback)\b/,
        "takes down what it deployed"
      ])
    })
  ),
  ...tools("ansible ansible-playbook", () => ({
    rows: rows("infrastructure", [
      /(?:destroy|teardown|wipe|decommission|nuke)/,
      "says by its name that it takes things down",
      { without: / (?:--check|-C|--syntax-check|--list-\w+) / }
    ])
  })),
  ...tools("vagrant multipass", () => ({
    rows: rows("infrastructure", [/^destroy\b|^delete\b|^purge\b/, "deletes a virtual machine"])
  })),
  ...tools("virsh", () => ({
    valued: words("-c --connect"),
    rows: rows("infrastructure", [
      /^(?:destroy|undefine|vol-delete|pool-delete|pool-destroy|snapshot-delete|vol-wipe)\b/,
      "deletes a virtual machine or its disk"
    ])
  })),
  ...tools("qm pct", () => ({
    rows: rows("infrastructure", [/^(?:destroy|delsnapshot|rollback)\b/, "deletes a virtual machine"])
  })),
  ...tools("VBoxManage", () => ({
    rows: rows("infrastructure", [
      /^(?:unregistervm|closemedium|snapshot \S+ delete)\b/,
      "deletes a virtual machine",
      { with: / --delete(?:-all)? / }
    ])
  })),
  ...tools("aws awslocal", () => ({
    hasHelp: true,
    valued: words(
      "--profile --region --output --query --endpoint-url --cli-input-json --cli-read-timeout --color"
    ),
    rows: [
      ...opened.aws(),
      ...rows(
        "cloud-storage",
        [/^s3 (?:rb|rm)\b/, "deletes objects in remote storage", { without: / --(?:exclude|include)[= ]/ }],
        [/^s3 rm\b/, "deletes objects in remote storage"],
        [/^s3 mv s3:/, "takes objects away from where they are"],
        [/^s3 sync s3:\S+ s3:/, "deletes what the source does not have", { with: / --delete / }],
        // What a build made goes up as it is; of anything else, what was never here is lost there.
        [
          /^s3 sync (?!(?:\S*\/)?(?:dist|build|out|public|_site|site|www|html|storybook-static|coverage|docs?|\.next|\.output)\/? )\S+ s3:|^s3 sync \S+ s3:\/\/\S*(?:prod|backup|archive)/,
          "deletes what the source does not have",
          { with: / --delete / }
        ],
        [/^s3api (?:delete|put-bucket-lifecycle|abort)-?/, "deletes objects in remote storage"]
      ),
      ...rows(
        "cloud",
        [/^sqs purge-queue\b/, "empties a queue"],
        [operation, "deletes it"],
        [/^route53 change-resource-record-sets\b/, "deletes records of the domain", { with: /DELETE/ }],
        [/^route53 change-resource-record-sets\b/, "changes records of the domain"],
        [/^(?:organizations (?:leave|close)|account close)-/, "closes an account"],
        [
          /^ecs update-service\b|^autoscaling (?:update|set)-/,
          "stops all of it",
          { with: /--(?:desired-count|desired-capacity|max-size)[= ]0/ }
        ],
        [
          /^iam (?:put|attach|update|add)-\S+/,
          "gives far-reaching rights",
          { with: /AdministratorAccess|"Action":\s*"\*"/ }
        ]
      )
    ]
  })),
  ...tools("gcloud bq", () => ({
    valued: words(
      "--project --region --zone --location --account --format --filter -q --configuration --impersonate-service-account"
    ),
    rows: [
      ...opened.gcloud(),
      ...rows(
        "cloud-storage",
        [
          /^(?:alpha |beta )?storage rsync\b/,
          "deletes what the source does not have",
          { with: / --delete-/ }
        ],
        [
          /^(?:alpha |beta )?storage (?:rm|buckets delete|objects delete)\b/,
          "deletes objects in remote storage"
        ]
      ),
      ...rows(
        "cloud",
        [
          /^(?!config |auth )(?:\S+ ){0,7}(?:delete|delete-\w+|destroy|purge|reset-windows-password|disable|remove-iam-policy-binding|deprovision|abandon-instances|rm)(?: |$)/,
          "deletes it"
        ],
        [/^(?:rm|remove)\b/, "deletes tables or data sets"],
        [
          /^projects add-iam-policy-binding|^organizations add-iam/,
          "gives the rights of an owner",
          { with: /roles\/owner/ }
        ]
      )
    ]
  })),
  ...tools("gsutil", () => ({
    valued: words("-o -h -u -i"),
    rows: [
      ...opened.gsutil(),
      ...rows(
        "cloud-storage",
        [/^(?:rm|rb)\b/, "deletes objects in remote storage"],
        [/^rsync\b/, "deletes what the source does not have", { with: / -\w*d\w* / }],
        [/^mv\b/, "takes objects away from where they are"]
      )
    ]
  })),
  ...tools("az", () => ({
    valued: words(
      "-g --resource-group -n --name --subscription -o --output --query --account-name --location -l --ids"
    ),
    rows: [
      ...opened.az(),
      ...rows("cloud-storage", [
        /^storage (?:\S+ ){0,4}(?:delete|delete-batch|remove|undelete-policy|purge)\b/,
        "deletes objects in remote storage"
      ]),
      ...rows("cloud", [
        /^(?:\S+ ){0,6}(?:delete|purge|delete-batch|untag|deallocate|remove|reset-credential|disable)(?: |$)/,
        "deletes it"
      ])
    ]
  })),
  ...tools("azcopy", () => ({
    rows: rows(
      "cloud-storage",
      [/^(?:remove|rm)\b/, "deletes objects in remote storage"],
      [
        /^sync\b/,
        "deletes what the source does not have",
        { with: / --delete-destination(?:=true|) |--delete-destination=prompt/ }
      ]
    )
  })),
  ...tools("mc", () => ({
    valued: words("--config-dir -C --older-than --newer-than"),
    rows: [
      ...opened.mc(),
      ...rows(
        "cloud-storage",
        [
          /^(?:rb|rm|mv|undo|ilm (?:rule )?(?:rm|remove)|version suspend|replicate rm|tag remove|retention clear|event remove)\b/,
          "deletes objects in remote storage"
        ],
        [/^mirror\b/, "deletes what the source does not have", { with: / (?:--remove|--overwrite) / }],
        [
          /^admin (?:\S+ ){0,2}(?:delete|remove|rm|disable|unset|detach|stop|purge)\b/,
          "takes it away from the server"
        ]
      )
    ]
  })),
  ...tools("s3cmd s5cmd b2 swift ossutil coscmd obsutil", () => ({
    valued: words("-c --config --profile --endpoint-url --numworkers"),
    rows: rows(
      "cloud-storage",
      [
        /^(?:del|delete|rb|rm|rmdir|delete-bucket|delete-file-version|delete_bucket|delete_file_version|expire|abort|cancel-all-unfinished-large-files|clear-account)\b/,
        "deletes objects in remote storage"
      ],
      [
        /^sync\b/,
        "deletes what the source does not have",
        { with: / --(?:delete|delete-removed|deleteAfter|delete-after)\S* / }
      ]
    )
  })),
  ...tools(
    "doctl heroku fly flyctl vercel vc now netlify ntl railway render supabase firebase wrangler linode-cli hcloud ibmcloud oci scw vultr-cli openstack exo rosa ocm pscale turso neonctl neon civo upctl cf dokku gandi flarectl cloudflared ionosctl okteto northflank koyeb surge porter platform upsun sentry-cli auth0 okta ngrok tailscale twilio stripe shopify",
    () => ({
      valued: noFiles,
      rows: rows(
        "cloud",
        [/^(?:db|database) (?:reset|wipe)\b/, "resets the database", { without: / --local / }],
        [
          /^pg:(?:reset|killall|unfollow|promote)\b|^(?:ps:scale|scale)\b.*[= ]0\b|^maintenance:on\b|^down\b|^hosting:disable\b|^firestore:delete\b|^database:(?:remove|set)\b|^sites:delete\b|^env:unset\b|^config:unset\b|^env rm\b|^unpublish\b|^logout\b.*--all/,
          "takes down what is there"
        ],
        [/^d1 execute\b/, "drops data", { with: /drop|truncate|delete from/i }],
        [goes, "deletes it"]
      )
    })
  )
}
