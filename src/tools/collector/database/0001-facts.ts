/** The first layout: who sends, what was sent, how far each projection is, and who may do what. */

const roles = `
DO $do$
DECLARE
  one text;
BEGIN
  -- Roles belong to the server, not to the database: another database of it may have them.
  FOREACH one IN ARRAY ARRAY['hooktape_writer', 'hooktape_owner', 'hooktape_reader'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', one);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END LOOP;
END
$do$`

const tables = `
CREATE TABLE hooktape.token (
  hash bytea PRIMARY KEY,
  name text NOT NULL,
  tenant text NOT NULL,
  made timestamptz NOT NULL DEFAULT now(),
  revoked timestamptz
);
CREATE INDEX token_name ON hooktape.token (name);

-- One row for each epoch of an installation. Its head is what tells a fact that came twice: locked, compared, moved.
CREATE TABLE hooktape.installation (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  epoch integer NOT NULL,
  tenant text NOT NULL,
  bucket smallint NOT NULL,
  head bigint NOT NULL,
  head_id text,
  began timestamptz NOT NULL DEFAULT now(),
  heard timestamptz NOT NULL DEFAULT now(),
  UNIQUE (name, epoch)
) WITH (fillfactor = 50);

CREATE TABLE hooktape.fact (
  day date NOT NULL,
  installation integer NOT NULL,
  position bigint NOT NULL,
  id text NOT NULL,
  stream text NOT NULL,
  type text NOT NULL,
  agent text,
  agent_event text,
  session text,
  project text,
  tool_use_id text,
  cause text,
  at bigint NOT NULL,
  data jsonb NOT NULL,
  -- A unique key of a partitioned table holds what it is partitioned by. The head keeps facts from coming twice, not this.
  PRIMARY KEY (installation, position, day)
) PARTITION BY RANGE (day);
CREATE INDEX fact_stream ON hooktape.fact (stream);
CREATE INDEX fact_session ON hooktape.fact (session) WHERE session IS NOT NULL;

-- What does not read as a fact: kept as it came, once.
CREATE TABLE hooktape.parked (
  installation integer NOT NULL,
  digest text NOT NULL,
  position bigint,
  problem text NOT NULL,
  raw text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (installation, digest)
);

CREATE TABLE hooktape.mark (
  projection text NOT NULL,
  installation integer NOT NULL,
  position bigint NOT NULL,
  moved timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, installation)
) WITH (fillfactor = 50);

CREATE TABLE hooktape.state (
  projection text NOT NULL,
  installation integer NOT NULL,
  key text NOT NULL,
  state jsonb NOT NULL,
  PRIMARY KEY (projection, installation, key)
) WITH (fillfactor = 70);

-- Facts that a projection could not take: they are passed by, and named.
CREATE TABLE hooktape.refused (
  projection text NOT NULL,
  installation integer NOT NULL,
  position bigint NOT NULL,
  problem text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (projection, installation, position)
);

-- Which tenant, and which project where not all, a role may read.
CREATE TABLE hooktape.access (
  role name NOT NULL,
  tenant text NOT NULL,
  project text,
  UNIQUE NULLS NOT DISTINCT (role, tenant, project)
)`

const partitions = `
CREATE FUNCTION hooktape.make_partitions(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hooktape, pg_temp AS $do$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  one date;
  part text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('hooktape.partitions'));
  FOR one IN SELECT today + n FROM generate_series(0, least(ahead, 60)) n LOOP
    part := 'fact_' || to_char(one, 'YYYYMMDD');
    IF to_regclass('hooktape.' || part) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF fact FOR VALUES FROM (%L) TO (%L)', part, one, one + 1);
    END IF;
  END LOOP;
END
$do$;

-- Takes days off that are older than so many and that every one of these projections has behind it; says which.
CREATE FUNCTION hooktape.detach_partitions(keep integer, projections text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hooktape, pg_temp AS $do$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  part text;
  needed boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('hooktape.partitions'));
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'hooktape.fact'::regclass ORDER BY c.relname
  LOOP
    CONTINUE WHEN to_date(right(part, 8), 'YYYYMMDD') >= today - greatest(keep, 1);
    EXECUTE format(
      'SELECT EXISTS (SELECT 1 FROM (SELECT installation, max(position) AS newest FROM %I GROUP BY 1) f
        CROSS JOIN unnest($1) p(projection)
        LEFT JOIN mark m ON m.projection = p.projection AND m.installation = f.installation
        WHERE coalesce(m.position, 0) < f.newest)', part) INTO needed USING projections;
    CONTINUE WHEN needed;
    EXECUTE format('ALTER TABLE fact DETACH PARTITION %I', part);
    RETURN NEXT part;
  END LOOP;
END
$do$`

const append = `
CREATE FUNCTION hooktape.authorised(token bytea) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = hooktape, pg_temp AS $do$
  SELECT EXISTS (SELECT FROM token t WHERE t.hash = authorised.token AND t.revoked IS NULL)
$do$;

-- Facts in (after, upto], all or none. "status": ok, unknown (token), epoch (not the next one), gap, fork.
CREATE FUNCTION hooktape.append(
  token bytea, epoch integer, after bigint, after_id text, upto bigint, facts jsonb,
  OUT status text, OUT head bigint, OUT newest integer
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hooktape, pg_temp AS $do$
DECLARE
  who hooktape.token%ROWTYPE;
  here hooktape.installation%ROWTYPE;
BEGIN
  head := 0;
  newest := 0;
  SELECT * INTO who FROM token t WHERE t.hash = append.token AND t.revoked IS NULL;
  IF NOT FOUND THEN status := 'unknown'; RETURN; END IF;

  SELECT * INTO here FROM installation i WHERE i.name = who.name AND i.epoch = append.epoch FOR UPDATE;
  IF NOT FOUND THEN
    SELECT coalesce(max(i.epoch), 0) INTO newest FROM installation i WHERE i.name = who.name;
    IF append.epoch <> newest + 1 THEN status := 'epoch'; RETURN; END IF;
    INSERT INTO installation AS i (name, epoch, tenant, bucket, head, head_id)
      VALUES (who.name, append.epoch, who.tenant, hashtext(who.name) & 255, after, after_id)
      ON CONFLICT DO NOTHING;
    SELECT * INTO here FROM installation i WHERE i.name = who.name AND i.epoch = append.epoch FOR UPDATE;
  END IF;
  newest := here.epoch;
  head := here.head;

  IF after > here.head THEN status := 'gap'; RETURN; END IF;
  -- A log that was put back to an earlier state goes on with other facts in the same places.
  IF after = here.head AND here.head_id IS NOT NULL AND after_id IS NOT NULL AND after_id <> here.head_id THEN
    status := 'fork'; RETURN;
  END IF;
  IF after < here.head AND EXISTS (
    SELECT FROM jsonb_to_recordset(facts) n(position bigint, id text, problem text)
    WHERE n.problem IS NULL AND n.position <= here.head AND NOT EXISTS (
      SELECT FROM fact f WHERE f.installation = here.id AND f.position = n.position AND f.id = n.id)
  ) THEN status := 'fork'; RETURN; END IF;

  status := 'ok';
  INSERT INTO parked (installation, digest, position, problem, raw)
    SELECT here.id, md5(n.raw), n.position, n.problem, n.raw
    FROM jsonb_to_recordset(facts) n(position bigint, problem text, raw text)
    WHERE n.problem IS NOT NULL
    ON CONFLICT DO NOTHING;
  IF upto <= here.head THEN RETURN; END IF;

  INSERT INTO fact
    SELECT (now() AT TIME ZONE 'UTC')::date, here.id, n.position, n.id, n.stream, n.type, n.agent, n.agent_event,
      n.session, n.project, n.tool_use_id, n.cause, n.at, n.data
    FROM jsonb_to_recordset(facts) n(
      position bigint, id text, stream text, type text, agent text, agent_event text, session text, project text,
      tool_use_id text, cause text, at bigint, data jsonb, problem text)
    WHERE n.problem IS NULL AND n.position > here.head;
  UPDATE installation i SET head = upto, heard = now(), head_id = (
      SELECT n.id FROM jsonb_to_recordset(facts) n(position bigint, id text, problem text)
      WHERE n.problem IS NULL AND n.position = upto)
    WHERE i.id = here.id;
  head := upto;
END
$do$`

const rights = `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA hooktape FROM PUBLIC;
GRANT USAGE ON SCHEMA hooktape TO hooktape_writer, hooktape_owner, hooktape_reader;

GRANT EXECUTE ON FUNCTION hooktape.append, hooktape.authorised TO hooktape_writer;

GRANT EXECUTE ON FUNCTION hooktape.make_partitions, hooktape.detach_partitions TO hooktape_owner;
GRANT SELECT ON hooktape.installation, hooktape.fact TO hooktape_owner;
GRANT SELECT, INSERT, UPDATE, DELETE ON hooktape.mark, hooktape.state, hooktape.refused TO hooktape_owner;

-- What the role that asks may see: it cannot change that, as it could a setting.
CREATE FUNCTION hooktape.readable() RETURNS TABLE (installation integer, project text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = hooktape, pg_temp AS $do$
  SELECT i.id, a.project FROM access a JOIN installation i ON i.tenant = a.tenant WHERE a.role = session_user
$do$;
REVOKE ALL ON FUNCTION hooktape.readable FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hooktape.readable TO hooktape_reader;
GRANT SELECT ON hooktape.installation, hooktape.fact, hooktape.state, hooktape.mark TO hooktape_reader;

ALTER TABLE hooktape.installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE hooktape.fact ENABLE ROW LEVEL SECURITY;
ALTER TABLE hooktape.state ENABLE ROW LEVEL SECURITY;
ALTER TABLE hooktape.mark ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_all ON hooktape.installation TO hooktape_owner USING (true);
CREATE POLICY owner_all ON hooktape.fact TO hooktape_owner USING (true);
CREATE POLICY owner_all ON hooktape.state TO hooktape_owner USING (true) WITH CHECK (true);
CREATE POLICY owner_all ON hooktape.mark TO hooktape_owner USING (true) WITH CHECK (true);
CREATE POLICY reader_own ON hooktape.installation FOR SELECT TO hooktape_reader
  USING (id IN (SELECT r.installation FROM hooktape.readable() r));
CREATE POLICY reader_own ON hooktape.fact FOR SELECT TO hooktape_reader
  USING (installation IN (SELECT r.installation FROM hooktape.readable() r WHERE r.project IS NULL)
    OR (installation, project) IN (SELECT r.installation, r.project FROM hooktape.readable() r));
-- A state sums up facts of any project: who may read some projects only reads facts.
CREATE POLICY reader_own ON hooktape.state FOR SELECT TO hooktape_reader
  USING (installation IN (SELECT r.installation FROM hooktape.readable() r WHERE r.project IS NULL));
CREATE POLICY reader_own ON hooktape.mark FOR SELECT TO hooktape_reader
  USING (installation IN (SELECT r.installation FROM hooktape.readable() r));

SELECT hooktape.make_partitions(7)`

export const facts = [roles, tables, partitions, append, rights].join(";\n")
