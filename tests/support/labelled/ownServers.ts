/** Servers of one's own that are told by an option, stacks of tests, and questions for help; beside each what only looks like it. */
import type { RuleId } from "../../../src/features/guard/rule.ts"

type Rows = readonly (readonly [command: string, rule: RuleId | null, action?: "ask" | "block"])[]

const endpoints: Rows = [
  ["aws --endpoint-url http://localhost:4566 s3 rb s3://test-bucket --force", null],
  ["aws --endpoint-url=http://127.0.0.1:4566 s3 rm s3://logs --recursive", null],
  ["aws s3api delete-bucket --bucket logs --endpoint-url http://localhost:4566", null],
  ["aws --endpoint-url http://localhost.localstack.cloud:4566 sqs purge-queue --queue-url q", null],
  ["awslocal s3api delete-bucket --bucket logs", null],
  ["awslocal --endpoint-url https://s3.example.com s3api delete-bucket --bucket logs", "cloud-storage"],
  ["aws --endpoint-url http://localstack:4566 dynamodb delete-table --table-name users", null],
  ["AWS_ENDPOINT_URL=http://localhost:4566 aws dynamodb delete-table --table-name users", null],
  ["export AWS_ENDPOINT_URL=http://localhost:4566; aws s3 rb s3://test-bucket --force", null],
  ["s5cmd --endpoint-url http://127.0.0.1:9000 rm 's3://bucket/*'", null],
  ["vault kv delete -address=http://127.0.0.1:8200 secret/app", null],
  ["VAULT_ADDR=http://127.0.0.1:8200 vault kv delete secret/app", null],
  ["consul kv delete -http-addr=localhost:8500 app/key", null],
  ["kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders", null],
  ["kafka-topics --bootstrap-server localhost:9092,localhost:9093 --delete --topic orders", null],
  ["etcdctl --endpoints=http://127.0.0.1:2379 del --prefix app", null],
  ["nats stream rm ORDERS -f --server nats://localhost:4222", null],
  ["nats -s nats://127.0.0.1:4222 stream rm ORDERS -f", null],
  ["rabbitmqadmin -H localhost delete queue name=orders", null],
  // Elsewhere, whatever the name begins with.
  ["aws --endpoint-url http://localhost.example.com:4566 s3 rb s3://test-bucket --force", "delete-outside"],
  ["aws --endpoint-url http://localhost:4566@s3.example.com s3 rb s3://b --force", "delete-outside"],
  ["aws --endpoint-url http://localhost-prod:4566 s3 rb s3://b --force", "delete-outside"],
  ["aws --endpoint-url http://localhost.localstack.cloud.example.com s3 rb s3://b --force", "delete-outside"],
  ["aws --endpoint-url http://localstack.example.com s3api delete-bucket --bucket b", "cloud-storage"],
  ["aws --endpoint-url $WHERE s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "aws --endpoint-url http://localhost:4566 --endpoint-url https://s3.eu-central-1.amazonaws.com s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  ["aws s3api delete-bucket --bucket localhost", "cloud-storage"],
  ["aws s3api delete-bucket --bucket b --profile localhost", "cloud-storage"],
  ["AWS_ENDPOINT_URL=https://s3.example.com aws s3api delete-bucket --bucket b", "cloud-storage"],
  [
    "AWS_ENDPOINT_URL=http://localhost:4566 aws --endpoint-url https://s3.example.com s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  [
    "AWS_ENDPOINT_URL=http://localhost:4566 AWS_ENDPOINT_URL_S3=https://s3.example.com aws s3api delete-bucket --bucket b",
    "cloud-storage"
  ],
  ["unset AWS_ENDPOINT_URL; aws s3api delete-bucket --bucket b", "cloud-storage"],
  // What it names there is one of the cloud's own.
  ["az postgres flexible-server db delete --server localhost -d app", "cloud"],
  ["hcloud volume delete data --server localhost", "cloud"],
  ["kafka-topics.sh --bootstrap-server localhost:9092,kafka.example.com:9092 --delete --topic a", "services"],
  ["kafka-topics.sh --bootstrap-server kafka.example.com:9092 --delete --topic orders", "services"],
  ["vault kv delete -address=https://vault.example.com secret/app", "services"],
  // On another machine, and beside another's server, `localhost` is theirs.
  ["ssh app1.example.com 'vault kv delete -address=http://127.0.0.1:8200 secret/app'", "services"],
  ["kubectl exec vault-0 -- vault kv delete -address=http://127.0.0.1:8200 secret/app", "services"],
  ["docker run --rm amazon/aws-cli --endpoint-url http://localhost:4566 s3api delete-bucket --bucket b", null]
]

const clusters: Rows = [
  ["kubectl --context kind-ci delete namespace app", null],
  ["kubectl --context=minikube delete pvc --all", null],
  ["kubectl --context docker-desktop delete ns app", null],
  ["kubectl --context k3d-dev delete ns app", null],
  ["kubectl --server https://127.0.0.1:6443 delete ns app", null],
  ["kubectl -s https://localhost:6443 delete ns app", null],
  ["helm --kube-context kind-ci uninstall api", null],
  ["kubectl --context kind-production delete ns app", "clusters"],
  ["kubectl --context minikube-prod delete ns app", "clusters"],
  ["kubectl --context kindness delete ns app", "clusters"],
  ["kubectl --context docker-desktop.example.com delete ns app", "clusters"],
  ["kubectl --context kind-ci --server https://10.0.0.1:6443 delete ns app", "clusters"],
  ["kubectl --server https://127.0.0.1.example.com:6443 delete ns app", "clusters"],
  ["kubectl delete ns minikube", "clusters"],
  ["helm uninstall minikube", "clusters"],
  ["kubectl delete ns app -- --context minikube", "clusters"]
]

const stacks: Rows = [
  [
    "docker compose -f docker-compose.test.yml up --abort-on-container-exit; docker compose -f docker-compose.test.yml down -v",
    null
  ],
  ["docker-compose -f compose.e2e.yaml down --volumes --remove-orphans", null],
  ["docker compose -f tests/docker-compose.yml down -v", null],
  ["docker compose --file=docker-compose.ci.yml rm -fsv", null],
  ["docker compose -p shop-test down -v", null],
  ["docker compose --project-name e2e -f docker-compose.yml down -v", "containers"],
  ["docker compose -f docker-compose.yml -f docker-compose.test.yml down -v", "containers"],
  ["docker compose -f docker-compose.test.yml -p shop down -v", "containers"],
  ["docker compose -f docker-compose.latest.yml down -v", "containers"],
  ["docker compose -f docker-compose.test-production.yml down -v", "containers"],
  ["docker compose -f docker-compose.testimonials.yml down -v", "containers"],
  ["docker compose -f docker-compose.yml down -v", "containers"],
  ["docker compose -p test-live down -v", "containers"],
  ["docker --context server compose -f docker-compose.test.yml down -v", "containers"],
  ["docker -H ssh://server compose -f docker-compose.test.yml down -v", "containers"],
  ["DOCKER_HOST=ssh://server docker compose -f docker-compose.test.yml down -v", "containers"],
  ["docker compose down -v test", "containers"],
  ["docker volume rm test", "containers"]
]

const helped: Rows = [
  ["aws rds delete-db-instance help | col -b | head -60", null],
  ["aws s3 rb help", null],
  ["aws rds delete-db-instance --db-instance-identifier help", "cloud"],
  ["aws s3api delete-bucket --bucket help", "cloud-storage"],
  ["aws s3 rm s3://logs/help", "cloud-storage"],
  ["aws rds delete-db-instance helper", "cloud"],
  ["kubectl delete ns help", "clusters"]
]

export const ownServers: Rows = [...endpoints, ...clusters, ...stacks, ...helped]
