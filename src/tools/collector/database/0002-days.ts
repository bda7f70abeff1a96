/** Days are made and taken off beside whoever reads: what comes in queues behind a lock that waits, and so none waits for long. */

/** Attaching wants a lock that readers and appends do not mind; making it as a part at once wants one that they do. */
const make = `
CREATE OR REPLACE FUNCTION hooktape.make_partitions(ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hooktape, pg_temp SET lock_timeout = '1s' AS $do$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  one date;
  part text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('hooktape.partitions'));
  FOR one IN SELECT today + n FROM generate_series(0, least(ahead, 60)) n LOOP
    part := 'fact_' || to_char(one, 'YYYYMMDD');
    IF to_regclass('hooktape.' || part) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE fact INCLUDING ALL)', part);
      EXECUTE format('ALTER TABLE fact ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, one, one + 1);
    END IF;
  END LOOP;
END
$do$`

/** Taking one off at once wants the table for itself; the gentle way wants a statement of the table's owner, outside of any function. */
const detach = `
-- Takes off the oldest day that is older than so many and that every one of these projections has behind it; says which. One at a time:
-- what is looked at for the next would be looked at with the lock in hand. Fails with lock_not_available where somebody reads.
CREATE OR REPLACE FUNCTION hooktape.detach_partitions(keep integer, projections text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hooktape, pg_temp SET lock_timeout = '1s' AS $do$
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
    RETURN;
  END LOOP;
END
$do$`

export const days = [make, detach].join(";\n")
