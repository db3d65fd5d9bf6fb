-- Writers wait from here on, so that none counts by the old function in the new table.
LOCK TABLE applications, consultations, contacts IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE FUNCTION owed_day(waiting_for text, withdrawn_at timestamptz, due_at timestamptz, snoozed_until timestamptz)
RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN waiting_for IS DISTINCT FROM 'us' OR withdrawn_at IS NOT NULL THEN 'infinity'::date
    WHEN due_at IS NULL THEN '9999-12-31'::date
    ELSE (greatest(due_at, snoozed_until) AT TIME ZONE 'UTC')::date
  END
$$;
--> statement-breakpoint
DELETE FROM record_counts;
--> statement-breakpoint
ALTER TABLE "record_counts" ADD COLUMN "owed_day" date NOT NULL;
--> statement-breakpoint
ALTER TABLE "record_counts" DROP CONSTRAINT "record_counts_kind_box_status_assignee_id_pk";
--> statement-breakpoint
ALTER TABLE "record_counts" ADD CONSTRAINT "record_counts_kind_box_status_assignee_id_owed_day_pk" PRIMARY KEY("kind","box","status","assignee_id","owed_day");
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_record_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
      owed_day(waiting_for, withdrawn_at, due_at, snoozed_until), count(*)
    FROM new_rows GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
      owed_day(waiting_for, withdrawn_at, due_at, snoozed_until), -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  ELSE
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), day, sum(d)
    FROM (
      SELECT box, status, assignee_id, owed_day(waiting_for, withdrawn_at, due_at, snoozed_until) AS day, 1 AS d FROM new_rows
      UNION ALL
      SELECT box, status, assignee_id, owed_day(waiting_for, withdrawn_at, due_at, snoozed_until), -1 FROM old_rows
    ) AS changes
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(d) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
INSERT INTO record_counts (kind, box, status, assignee_id, owed_day, n)
SELECT kind, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
  owed_day(waiting_for, withdrawn_at, due_at, snoozed_until), count(*)
FROM (
  SELECT 'applications' AS kind, box, status, assignee_id, waiting_for, withdrawn_at, due_at, snoozed_until FROM applications
  UNION ALL
  SELECT 'consultations', box, status, assignee_id, waiting_for, withdrawn_at, due_at, snoozed_until FROM consultations
  UNION ALL
  SELECT 'contacts', box, status, assignee_id, waiting_for, withdrawn_at, due_at, snoozed_until FROM contacts
) AS records
GROUP BY 1, 2, 3, 4, 5;
