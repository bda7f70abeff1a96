// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are a shell's
/** What looks like a server, a cluster or a stack of one's own, and is led elsewhere: by what the same line did before, or by an option further on. */
import type { RuleId } from "../../../src/features/guard/rule.ts"

type Rows = readonly (readonly [command: string, rule: RuleId | null, action?: "ask" | "block"])[]

const endpoints: Rows = [
  [
    "for e in http://localhost:4566 https://s3.example.com; do aws --endpoint-url $e s3api delete-bucket --bucket b; done",
    "cloud-storage"
  ],
  ["aws --endpoint-url ${E:-http://localhost:4566} s3api delete-bucket --bucket b", "cloud-storage"],
  ["aws s3api delete-bucket --bucket b --host localhost", "cloud-storage"],
  ["aws s3api delete-bucket --bucket b --url http://localhost:4566", "cloud-storage"],
  ["fly apps destroy shop --host localhost", "cloud"],
  ["heroku apps:destroy shop --host localhost", "cloud"],
  ["fly --context minikube apps destroy shop", "cloud"]
]

const variables: Rows = [
  ["AWS_ENDPOINT_URL=http://localhost:4566; aws s3api delete-bucket --bucket b", "cloud-storage"],
  ["AWS_ENDPOINT_URL_S3=http://localhost:4566 aws dynamodb delete-table --table-name users", "cloud"],
  ["AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 aws s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "export AWS_ENDPOINT_URL=http://localhost:4566; env -u AWS_ENDPOINT_URL aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "export AWS_ENDPOINT_URL=http://localhost:4566; env -i PATH=$PATH aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "export AWS_ENDPOINT_URL=http://localhost:4566; export -n AWS_ENDPOINT_URL; aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  ["export AWS_ENDPOINT_URL=http://localhost:4566; sudo aws s3api delete-bucket --bucket b", "cloud-storage"],
  ["AWS_ENDPOINT_URL=http://localhost:4566 sudo aws s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "AWS_ENDPOINT_URL=http://localhost:4566 AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  ["export AWS_ENDPOINT_URL=http://localhost:4566 & aws s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "false && export AWS_ENDPOINT_URL=http://localhost:4566; aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "true || export AWS_ENDPOINT_URL=http://localhost:4566; aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    '[ -n "$LOCAL" ] && export AWS_ENDPOINT_URL=http://localhost:4566; aws s3api delete-bucket --bucket b',
    "cloud-storage"
  ],
  [
    'if [ -n "$LOCAL" ]; then export AWS_ENDPOINT_URL=http://localhost:4566; fi; aws s3api delete-bucket --bucket b',
    "cloud-storage"
  ],
  [
    "case $1 in local) export AWS_ENDPOINT_URL=http://localhost:4566;; esac; aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "while read -r x; do export AWS_ENDPOINT_URL=http://localhost:4566; done < list; aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "AWS_ENDPOINT_URL=http://localhost:4566 docker run --rm amazon/aws-cli s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "export AWS_ENDPOINT_URL=http://localhost:4566; docker run --rm amazon/aws-cli s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  ["LOCALSTACK_HOST=s3.example.com awslocal s3api delete-bucket --bucket b", "cloud-storage"],
  ["AWS_ENDPOINT_URL=https://s3.example.com awslocal s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "VAULT_ADDR=http://127.0.0.1:8200 VAULT_AGENT_ADDR=https://vault.example.com vault kv delete secret/app",
    "services"
  ],
  [
    "vault kv delete -address=http://127.0.0.1:8200 -agent-address=https://vault.example.com secret/app",
    "services"
  ],
  ["VAULT_ADDR=http://127.0.0.1:8200; vault kv delete secret/app", "services"],
  ["CONSUL_HTTP_ADDR=localhost:8500 consul kv delete -recurse -datacenter=prod app", "services"],
  ["consul kv delete -http-addr=localhost:8500 -recurse -datacenter prod app", "services"],
  ["NOMAD_ADDR=http://localhost:4646 nomad job stop -purge -region prod api", "services"],
  ["etcdctl --endpoints=localhost:2379 --discovery-srv=example.com del --prefix app", "services"],
  [
    "etcdctl --endpoints=localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,localhost:2379,etcd.example.com:2379 del --prefix app",
    "services"
  ],
  ["nats -snats://nats.example.com:4222 --server localhost stream rm ORDERS -f", "services"],
  ["nats --server localhost:4222 -s=nats://nats.example.com stream rm ORDERS -f", "services"],
  ["rabbitmqadmin -H localhost -Hrabbit.example.com delete queue name=orders", "services"],
  ["rabbitmqadmin -H localhost --base-uri https://rabbit.example.com delete queue name=orders", "services"]
]

const tunnels: Rows = [
  [
    "ssh -fN -L 8200:vault.example.com:8200 bastion.example.com; vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "ssh -f -N -L4566:s3.example.com:443 bastion && aws --endpoint-url http://localhost:4566 s3 rb s3://b --force",
    "delete-outside"
  ],
  [
    "autossh -M 0 -f -N -L 9092:kafka.example.com:9092 bastion; kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders",
    "services"
  ],
  [
    "ssh -fNL 9092:kafka.example.com:9092 bastion; kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders",
    "services"
  ],
  [
    'ssh -o "LocalForward 9092 kafka.example.com:9092" -fN bastion; kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders',
    "services"
  ],
  [
    "kubectl port-forward svc/vault 8200:8200 & sleep 2; VAULT_ADDR=http://127.0.0.1:8200 vault kv delete secret/app",
    "services"
  ],
  [
    "kubectl port-forward svc/minio 9000 & aws --endpoint-url http://localhost:9000 s3 rb s3://b --force",
    "delete-outside"
  ],
  [
    "kubectl -n shop port-forward svc/etcd 2379 >/dev/null 2>&1 & etcdctl --endpoints=http://127.0.0.1:2379 del --prefix app",
    "services"
  ],
  ["kubectl proxy --port 8001 & kubectl -s http://localhost:8001 delete ns app", "clusters"],
  ["kubectl proxy & sleep 1; kubectl --server=http://127.0.0.1:8001 delete ns app", "clusters"],
  [
    "socat TCP-LISTEN:8200,fork TCP:vault.example.com:8200 & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "aws ssm start-session --target i-1 --document-name AWS-StartPortForwardingSession --parameters portNumber=8200,localPortNumber=8200 & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "gcloud compute start-iap-tunnel vm 8200 --local-host-port=localhost:8200 & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "fly proxy 9092 -a kafka & kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders",
    "services"
  ],
  [
    "cloudflared access tcp --hostname vault.example.com --url localhost:8200 & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "gcloud compute ssh vm -- -NL 8200:localhost:8200 & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "(ssh -fN -L 8200:vault.example.com:8200 bastion); vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "bash -c 'ssh -fN -L 8200:vault.example.com:8200 bastion'; vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "nohup ssh -N -L 8200:vault.example.com:8200 bastion & vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ]
]

const elsewhere: Rows = [
  [
    "docker run --rm --network container:vault-prod hashicorp/vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "docker --context prod run --rm --network host hashicorp/vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "docker -H ssh://prod run --rm --net host hashicorp/vault vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  [
    "DOCKER_HOST=ssh://prod docker run --rm --net=host hashicorp/vault vault kv delete -address=http://127.0.0.1:8200 secret/app",
    "services"
  ],
  ["nsenter -t 1 -n vault kv delete -address=http://127.0.0.1:8200 secret/app", "services"]
]

const clusters: Rows = [
  ["kubectl --context kind-ci --cluster prod delete ns app", "clusters"],
  ["kubectl --context kind-ci --kubeconfig prod.yaml delete ns app", "clusters"],
  ["kubectl --context kind-ci --kubeconfig=/home/me/.kube/production delete ns app", "clusters"],
  ["KUBECONFIG=prod.yaml kubectl --context kind-ci delete ns app", "clusters"],
  ["export KUBECONFIG=~/.kube/prod; kubectl --context minikube delete ns app", "clusters"],
  ["kubectl --context kind-ci -s=https://k8s.example.com delete ns app", "clusters"],
  ["kubectl --context kind-ci -shttps://k8s.example.com delete ns app", "clusters"],
  ["kubectl --context kind-prd delete ns app", "clusters"],
  ["kubectl config set-context kind-ci --cluster=prod; kubectl --context kind-ci delete ns app", "clusters"],
  ["kubectl config rename-context prod kind-ci && kubectl --context kind-ci delete ns app", "clusters"],
  [
    "kubectl config set-cluster kind-ci --server=https://k8s.example.com; kubectl --context kind-ci delete ns app",
    "clusters"
  ],
  ["helm --kube-context kind-ci --kube-apiserver https://k8s.example.com uninstall api", "clusters"],
  ["helm --kube-context kind-ci --kubeconfig prod.yaml uninstall api", "clusters"],
  ["for c in kind-ci prod; do kubectl --context $c delete ns app; done", "clusters"],
  [
    "for c in kind-ci $(kubectl config get-contexts -o name); do kubectl --context $c delete ns app; done",
    "clusters"
  ]
]

/** Beside them what stays one's own. */
const own: Rows = [
  ["docker compose -f docker-compose.test.yml down -v", null],
  ["docker compose -f docker/test/compose.yml down --volumes --remove-orphans", null],
  ["docker compose --env-file .env.test -f docker-compose.test.yml down -v", null],
  ["docker compose --project-directory . -f docker-compose.test.yml down -v", null],
  ["docker compose -p myapp-e2e down -v", null],
  ["docker rename old new", null],
  ["aws rds delete-db-instance help", null],
  ["aws --profile dev rds delete-db-instance help", null],
  ["aws --endpoint-url http://localhost:4566 s3 rb s3://test-bucket --force", null],
  ["aws --endpoint-url http://localstack:4566 sqs purge-queue --queue-url q", null],
  ["awslocal s3 rb s3://b --force", null],
  ["export AWS_ENDPOINT_URL=http://localhost:4566 && awslocal s3 rb s3://b --force", null],
  ["AWS_ENDPOINT_URL=http://localhost:4566 aws dynamodb delete-table --table-name users", null],
  ["AWS_ENDPOINT_URL_S3=http://localhost:9000 aws s3 rm s3://b/x", null],
  ["export AWS_ENDPOINT_URL=http://localhost:4566; aws s3 rb s3://test-bucket --force", null],
  [
    "export AWS_ACCESS_KEY_ID=test AWS_ENDPOINT_URL=http://localhost:4566 && aws s3 rb s3://test-bucket --force",
    null
  ],
  ["VAULT_ADDR=http://127.0.0.1:8200 vault kv delete secret/app", null],
  ["etcdctl --endpoints=localhost:2379,localhost:22379 del --prefix app", null],
  ["kubectl --context kind-ci delete ns app", null],
  ["kubectl --context kind-ci --kubeconfig /tmp/kind-kubeconfig delete ns app", null],
  ["KUBECONFIG=/tmp/kind.yaml kubectl --context kind-e2e delete ns app", null],
  ["kubectl --context minikube -n app delete pvc --all", null],
  ["helm --kube-context kind-ci uninstall api", null],
  ["python manage.py flush --no-input --settings=app.settings.test", null],
  ["docker run -d --name t redis && docker rename t u && docker rm -f u", null],
  ["kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders", null],
  ["nats -s nats://127.0.0.1:4222 stream rm ORDERS -f", null],
  ["rabbitmqadmin -H localhost delete queue name=orders", null]
]

export const ledElsewhere: Rows = [...endpoints, ...variables, ...tunnels, ...elsewhere, ...clusters, ...own]
