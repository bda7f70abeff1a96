/** Pack `containers`: containers with what they keep, and clusters. */
import { type Call, textsOf } from "../Call.ts"
import { containerKey } from "../container.ts"
import { opened } from "./opened.ts"
import { either, option, rows, type Tools, tools, words } from "./table.ts"

const dockerValued = words(
  "-H --host --context -c --config -l --log-level -f --file -p --project-name --profile --project-directory --env-file --url --connection --filter --since -v --volume --name -e --env -w --workdir -u --user --network --entrypoint --mount -t --time --timeout -s --signal --until"
)
const kubeValued = words(
  "-n --namespace --context --cluster --kubeconfig -l --selector -f --filename --user -s --server --token -o --output --as --as-group --field-selector --request-timeout --grace-period --timeout -c --container -p --patch -k --kustomize"
)

/** By its name one that was made to be thrown away. */
const trial =
  "(?:[\\w.-]*[-_.])?(?:tests?|tmp|temp|dev|debug|demo|scratch|sandbox|e2e|ci|trial)(?:[-_.][\\w.-]*)?\\d*"
/** Every container that is named is such a one. */
const onlyTrials = new RegExp(`^ (?:container )?rm(?: -\\S+)*(?: ${trial})+ $`)
const notProduction =
  / (?:--(?:kube-)?(?:context|namespace)[= ]|-n[= ]?)(?:\S*[-_./:@])?(?:dev|development|tests?|testing|staging|stage|local|sandbox|preview|demo|e2e|ci|minikube|kind|k3d|docker-desktop|rancher-desktop|tmp)\d*(?:[-_./:@]\S*)? /
/** A file that says by its name for whom it is. */
const trialFile =
  / (?:-f|--filename|-k|--kustomize)[= ]?(?![a-z]+:)(?:\S*[-_./])?(?:dev|development|tests?|testing|local|sandbox|preview|demo|e2e|kind|minikube)(?:[-_./]\S*)? /

/** A context or a namespace that is called production. */
const inProduction =
  / (?:--(?:kube-)?(?:context|cluster|namespace)[= ]|-n[= ]?)(?:\S*[-_./:@])?prod(?:uction)?\d*(?:[-_./:@]\S*)? /

export const containerTools: Tools = {
  ...tools("docker podman nerdctl docker-compose podman-compose", () => ({
    valued: dockerValued,
    rows: [
      ...rows(
        "containers",
        [/^volume (?:rm|remove|prune)\b/, "deletes volumes and what is in them"],
        [/^(?:system|network|pod) (?:prune|reset)\b/, "deletes whatever is not in use"],
        [/^image (?:prune|reset)\b/, "deletes whatever is not in use", { with: option("a", "all") }],
        [
          /^(?:compose )?down\b/,
          "deletes the volumes too",
          { with: / (?:-\w*v\w*|--volumes|--rmi(?:[= ]all)?) / }
        ],
        // Of a service's own containers only those without a name go along, and are made anew.
        [/^rm\b/, "deletes the volumes too", { with: option("v", "volumes") }],
        [
          /^(?:container )?rm\b/,
          "ends and deletes containers that run",
          { with: option("f", "force"), without: onlyTrials }
        ],
        [/^(?:rmi|image (?:rm|remove))\b/, "deletes images that are in use", { with: option("f", "force") }],
        [
          /^(?:swarm leave|node rm|stack (?:rm|remove|down)|service (?:rm|remove)|secret (?:rm|remove)|config (?:rm|remove)|context (?:rm|remove)|plugin (?:rm|remove))\b/,
          "takes away what others may use",
          { with: /^(?!.* -q )/ }
        ],
        [
          /^(?:run|create)\b/,
          "gives the host's processes to a container, and the right to enter them",
          { with: /^(?=.* --privileged(?:=true)? )(?=.* --pid[= ]host )/ }
        ],
        [
          /^(?:run|create)\b/,
          "gives the host's whole disk to a container",
          { with: / (?:-v|--volume|--mount)[= ]?(?:\S*(?:source|src)=)?\/(?:[:,]\S*)? / }
        ]
      )
    ]
  })),
  ...tools("kubectl oc k k3s microk8s", () => ({
    valued: kubeValued,
    endsOptions: true,
    rows: [
      ...opened.kubectl(),
      ...rows(
        "clusters",
        [
          /^(?:kubectl )?delete (?:\S*,)?(?:ns|namespaces?|projects?|nodes?|no|pv|pvc|persistentvolume(?:claim)?s?|crds?|customresourcedefinitions?\S*|clusterrole\w*|storageclass\w*|sc|validatingwebhook\w*|mutatingwebhook\w*|all|applications?|volumesnapshots?)(?:[ /.,]|$)/,
          "deletes it in the cluster"
        ],
        [
          /^(?:kubectl )?delete (?:\S*,)?(?:sts|statefulsets?\S*|deploy|deployments?\S*|ds|daemonsets?|secrets?|cm|configmaps?|svc|services?|sa|ing|ingress(?:es)?|helmreleases?|cronjobs?|cj)(?:[ /.,]|$)/,
          "deletes it in the cluster",
          { without: notProduction }
        ],
        [/^(?:kubectl )?delete …/, "deletes whatever comes through the pipeline", { without: notProduction }],
        [
          /^(?:kubectl )?delete\b/,
          "deletes everything of its kind",
          { with: / (?:--all(?:=true)?|-A|--all-namespaces(?:=true)?) / }
        ],
        [/^(?:kubectl )?delete\b/, "deletes without waiting for it to end", { with: / --force(?:=true)? / }],
        [
          /^(?:kubectl )?delete\b/,
          "deletes whatever stands in the file",
          { with: / (?:-f|--filename|-k|--kustomize)[= ]?\S+ /, without: either(notProduction, trialFile) }
        ],
        [/^(?:kubectl )?(?:drain|adm drain)\b/, "moves everything off the node"],
        [/^(?:kubectl )?taint\b.*:NoExecute/, "ends what runs on the node"],
        [/^(?:kubectl )?scale\b/, "stops all of it", { with: / --replicas[= ]0 / }],
        [/^(?:kubectl )?replace\b/, "deletes it and makes it anew", { with: / --force / }],
        [
          /^(?:kubectl )?apply\b/,
          "deletes what no file names any more",
          { with: / --prune(?:=true)? /, without: either(notProduction, trialFile) }
        ],
        [
          /^(?:kubectl )?(?:apply|create|delete|edit|patch|replace|scale|set|rollout (?:undo|restart)|drain|cordon|exec|label|annotate|expose|autoscale|run|cp|taint)\b/,
          "changes something in production",
          { with: inProduction, without: / --dry-run(?:=(?!none)\S+)? / }
        ],
        [
          /^(?:config (?:delete-context|delete-cluster|unset)|etcd-snapshot delete|reset)\b/,
          "takes a cluster out of the configuration"
        ]
      )
    ]
  })),
  ...tools("kind k3d minikube", () => ({
    rows: rows(
      "clusters",
      [
        /^(?:delete clusters?|cluster (?:delete|rm)|delete)\b/,
        "deletes every cluster of this machine",
        { with: / (?:--all|-a|-A|--purge) / }
      ],
      [/^(?:delete clusters|cluster (?:delete|rm)) /, "deletes the cluster", { without: notProduction }]
    )
  })),
  ...tools("helm helmfile", () => ({
    valued: words(
      "-n --namespace --kube-context --kubeconfig --kube-apiserver -f --values --set -e --environment -l --selector"
    ),
    rows: rows(
      "clusters",
      [/^(?:uninstall|delete|del|un|destroy)\b/, "takes a release out of the cluster"],
      [/^rollback /, "changes what runs", { with: / --force / }],
      [
        /^(?:upgrade|install)\b/,
        "deletes what cannot be changed and makes it anew",
        { with: / --force(?:=true)? /, without: notProduction }
      ],
      [
        /^(?:upgrade|install|rollback|apply|sync)\b/,
        "changes something in production",
        { with: inProduction }
      ]
    )
  })),
  ...tools("argocd flux istioctl linkerd cilium", () => ({
    rows: rows("clusters", [
      /^(?:app|proj|cluster|repo) (?:delete|rm)\b|^(?:uninstall|delete)\b|^\w+ uninstall\b/,
      "takes it out of the cluster"
    ])
  })),
  ...tools("etcdctl", () => ({
    valued: words("--user --cacert --cert --key"),
    rows: rows("services", [
      /^(?:del|rm|rmdir|member remove|snapshot restore)\b/,
      "deletes keys of the cluster",
      {}
    ])
  })),
  ...tools("kubeadm k0s rke", () => ({
    rows: rows("clusters", [/^(?:reset|remove)\b/, "takes the node out of its cluster"])
  })),
  ...tools("crictl", () => ({
    valued: words("-r -i -c --runtime-endpoint"),
    rows: rows("containers", [
      /^(?:rmp?|rmi)\b/,
      "deletes containers",
      { with: / (?:-\w*[af]\w*|--all|--force|--prune) / }
    ])
  })),
  ...tools("ctr", () => ({
    rows: rows("containers", [/ (?:rm|delete|remove|prune) /, "deletes containers"])
  }))
}

/** `docker rm -f x` of containers that this line started: what was in them is of this line. */
export const takesOwnContainers = (call: Call): boolean => {
  const { args, name, state } = call
  if (state.containers.size === 0 || !/^(?:docker|podman|nerdctl)$/.test(name)) return false
  const operands = textsOf(args).filter((text) => !text.startsWith("-"))
  const [verb, ...behind] = operands[0] === "container" ? operands.slice(1) : operands
  return (
    verb === "rm" &&
    behind.length > 0 &&
    behind.length <= state.containers.size &&
    behind.every((one) => {
      const key = containerKey(one, call)
      return key !== undefined && state.containers.has(key)
    })
  )
}
