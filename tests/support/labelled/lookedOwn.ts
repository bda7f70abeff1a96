/** What looks like a stack of tests, a question for help or a container of the line's own, one option or one step away from it. */
import type { RuleId } from "../../../src/features/guard/rule.ts"

type Rows = readonly (readonly [command: string, rule: RuleId | null, action?: "ask" | "block"])[]

const stacks: Rows = [
  ["docker compose -f prod-test.yml down -v", "containers"],
  ["docker compose -p prod-ci down -v", "containers"],
  ["docker compose -p live-test down -v", "containers"],
  ["docker compose -f prod/test.yml down -v", "containers"],
  ["docker compose -f staging.test.yml down -v", "containers"],
  ["docker compose -f docker-compose.test.yml --project-directory /srv/prod down -v", "containers"],
  ["docker compose --env-file prod.env -f docker-compose.test.yml down -v", "containers"],
  ["COMPOSE_PROJECT_NAME=prod docker compose -f docker-compose.test.yml down -v", "containers"],
  ["export COMPOSE_PROJECT_NAME=shop; docker compose -f docker-compose.test.yml down -v", "containers"],
  ["COMPOSE_FILE=production.yml docker compose -p test down -v", "containers"],
  ["docker context use prod; docker compose -f docker-compose.test.yml down -v", "containers"],
  ["docker context use prod && docker compose -f docker-compose.test.yml down -v", "containers"],
  ["eval $(docker-machine env prod); docker compose -f docker-compose.test.yml down -v", "containers"],
  ["for f in docker-compose.test.yml production.yml; do docker compose -f $f down -v; done", "containers"],
  ["docker volume rm -f test compose down data", "containers"],
  ["docker volume rm compose down data -f test", "containers"],
  ["docker system prune --volumes -f test down compose", "containers"],
  ["docker compose -p test-$ENV down -v", "containers"],
  ["docker compose -f tests/../docker-compose.yml down -v", "containers"],
  ["docker compose -f /srv/shop/ci/../compose.yml down -v", "containers"],
  ["docker -Hssh://prod compose -f docker-compose.test.yml down -v", "containers"]
]

const helped: Rows = [
  ["aws cloudwatch delete-alarms --alarm-names cpu help", "cloud"],
  ["aws cloudwatch delete-dashboards --dashboard-names main help", "cloud"],
  ["aws emr terminate-clusters --cluster-ids j-1 help", "cloud"],
  ["aws ec2 terminate-instances --instance-ids i-1 help", "cloud"],
  ["kubectl delete ns app -- --help", "clusters"]
]

const renamed: Rows = [
  [
    "docker run -d --rm --name mine redis; docker stop mine; docker rename prod mine; docker rm -f mine",
    "containers"
  ],
  [
    "docker run -d --name mine redis; docker rm -f mine; docker rename prod mine; docker rm -f mine",
    "containers"
  ],
  ["docker run -d --name mine redis; docker rename mine other || docker rm -f other", "containers"],
  ["docker run -d --name mine redis && docker rename mine other || docker rm -f other", "containers"],
  [
    "docker run -d --name mine redis; docker rm -f mine; docker rename $X mine; docker rm -f mine",
    "containers"
  ],
  [
    "docker run -d --name mine redis; docker rm -f mine; echo prod mine | xargs docker rename; docker rm -f mine",
    "containers"
  ],
  ["true || docker run -d --name mine redis; docker rm -f mine", "containers"]
]

const settings: Rows = [
  [
    "python manage.py flush --no-input --settings app.settings.test --setting=app.settings.production",
    "databases"
  ],
  [
    "python manage.py flush --no-input --settings app.settings.test --sett app.settings.production",
    "databases"
  ]
]

const databases: Rows = [
  [
    "docker run -d --rm --name db postgres:16; docker exec db psql -h localhost,db.example.com -c 'drop database app'",
    "databases"
  ],
  [
    "docker run -d --rm --name db mongo; docker exec db mongosh mongodb://localhost,db.example.com/app --eval 'db.dropDatabase()'",
    "databases"
  ],
  [
    "docker run -d --rm --name db postgres:16; docker exec db psql 'postgres://localhost,db.example.com/app' -c 'drop database app'",
    "databases"
  ],
  [
    "docker run -d --rm --name db postgres:16; docker exec db psql 'host=localhost,db.example.com dbname=app' -c 'drop database app'",
    "databases"
  ]
]

export const lookedOwn: Rows = [...stacks, ...helped, ...renamed, ...settings, ...databases]
