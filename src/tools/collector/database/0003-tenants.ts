/** An installation is one of its tenant: what another tenant calls its machines is its own affair. */

const key = `
ALTER TABLE hooktape.installation DROP CONSTRAINT installation_name_epoch_key;
ALTER TABLE hooktape.installation ADD CONSTRAINT installation_tenant_name_epoch_key UNIQUE (tenant, name, epoch)`

const append = `
CREATE OR REPLACE FUNCTION hooktape.append(
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

  SELECT * INTO here FROM installation i
    WHERE i.tenant = who.tenant AND i.name = who.name AND i.epoch = append.epoch FOR UPDATE;
  IF NOT FOUND THEN
    SELECT coalesce(max(i.epoch), 0) INTO newest FROM installation i
      WHERE i.tenant = who.tenant AND i.name = who.name;
    IF append.epoch <> newest + 1 THEN status := 'epoch'; RETURN; END IF;
    INSERT INTO installation AS i (name, epoch, tenant, bucket, head, head_id)
      VALUES (who.name, append.epoch, who.tenant, hashtext(who.name) & 255, after, after_id)
      ON CONFLICT DO NOTHING;
    SELECT * INTO here FROM installation i
      WHERE i.tenant = who.tenant AND i.name = who.name AND i.epoch = append.epoch FOR UPDATE;
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

  INSERT INTO fact (day, installation, position, id, stream, type, agent, agent_event, session, project, tool_use_id,
      cause, at, data)
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

export const tenants = [key, append].join(";\n")
