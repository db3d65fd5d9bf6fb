-- Writers wait from here on, so that none counts by the old function.
LOCK TABLE applications, consultations, contacts IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
DROP INDEX "applications_due_idx";--> statement-breakpoint
DROP INDEX "applications_status_due_idx";--> statement-breakpoint
DROP INDEX "applications_assignee_due_idx";--> statement-breakpoint
DROP INDEX "consultations_due_idx";--> statement-breakpoint
DROP INDEX "consultations_status_due_idx";--> statement-breakpoint
DROP INDEX "consultations_assignee_due_idx";--> statement-breakpoint
DROP INDEX "contacts_due_idx";--> statement-breakpoint
DROP INDEX "contacts_status_due_idx";--> statement-breakpoint
DROP INDEX "contacts_assignee_due_idx";--> statement-breakpoint
DROP INDEX "applications_owed_idx";--> statement-breakpoint
DROP INDEX "applications_unanswered_idx";--> statement-breakpoint
DROP INDEX "consultations_owed_idx";--> statement-breakpoint
DROP INDEX "contacts_owed_idx";--> statement-breakpoint
ALTER TABLE "contacts" ALTER COLUMN "due_at" SET DEFAULT now() + interval '24 hours';--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE applications DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE consultations DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE contacts DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE contacts SET due_at = created_at + interval '24 hours' WHERE due_at IS NULL;
--> statement-breakpoint
UPDATE contacts SET waiting_for = NULL WHERE status = 'handled' AND waiting_for = 'them';
--> statement-breakpoint
UPDATE consultations SET waiting_for = CASE WHEN status = 'contacted' THEN 'them' END
WHERE status IN ('contacted', 'completed') AND waiting_for IS DISTINCT FROM 'us';
--> statement-breakpoint
UPDATE contacts SET answered_at = coalesce(least(acted_at, last_message_at), updated_at)
WHERE waiting_for IS DISTINCT FROM 'us';
--> statement-breakpoint
UPDATE consultations SET answered_at = coalesce(least(acted_at, last_message_at), updated_at)
WHERE waiting_for IS DISTINCT FROM 'us';
--> statement-breakpoint
-- An answer is owed until a decision is told. Decisions made before count as told.
UPDATE applications SET waiting_for = 'us', due_at = CASE WHEN waiting_for = 'us' THEN due_at END
WHERE status NOT IN ('accepted', 'rejected');
--> statement-breakpoint
UPDATE applications SET waiting_for = NULL, answered_at = coalesce(acted_at, last_message_at, updated_at)
WHERE status IN ('accepted', 'rejected') AND waiting_for IS DISTINCT FROM 'us';
--> statement-breakpoint
CREATE FUNCTION owed_day(waiting_for text, withdrawn_at timestamptz, due_at timestamptz)
RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN waiting_for IS NULL OR withdrawn_at IS NOT NULL THEN 'infinity'::date
    WHEN waiting_for = 'them' THEN '-infinity'::date
    WHEN due_at IS NULL THEN '9999-12-31'::date
    ELSE (due_at AT TIME ZONE 'UTC')::date
  END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_record_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
      owed_day(waiting_for, withdrawn_at, due_at), count(*)
    FROM new_rows GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
      owed_day(waiting_for, withdrawn_at, due_at), -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  ELSE
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, owed_day, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), day, sum(d)
    FROM (
      SELECT box, status, assignee_id, owed_day(waiting_for, withdrawn_at, due_at) AS day, 1 AS d FROM new_rows
      UNION ALL
      SELECT box, status, assignee_id, owed_day(waiting_for, withdrawn_at, due_at), -1 FROM old_rows
    ) AS changes
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(d) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (kind, box, status, assignee_id, owed_day) DO UPDATE SET n = t.n + excluded.n;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
DROP FUNCTION owed_day(text, timestamptz, timestamptz, timestamptz);
--> statement-breakpoint
DELETE FROM record_counts;
--> statement-breakpoint
INSERT INTO record_counts (kind, box, status, assignee_id, owed_day, n)
SELECT kind, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'),
  owed_day(waiting_for, withdrawn_at, due_at), count(*)
FROM (
  SELECT 'applications' AS kind, box, status, assignee_id, waiting_for, withdrawn_at, due_at FROM applications
  UNION ALL
  SELECT 'consultations', box, status, assignee_id, waiting_for, withdrawn_at, due_at FROM consultations
  UNION ALL
  SELECT 'contacts', box, status, assignee_id, waiting_for, withdrawn_at, due_at FROM contacts
) AS records
GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
ALTER TABLE applications ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE consultations ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE contacts ENABLE TRIGGER USER;
--> statement-breakpoint
CREATE INDEX "applications_snoozed_idx" ON "applications" USING btree ("box","snoozed_until","id","due_at","status","assignee_id") WHERE "applications"."waiting_for" = 'us' and "applications"."withdrawn_at" is null and "applications"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "applications_open_idx" ON "applications" USING btree ("box","created_at","id") WHERE "applications"."waiting_for" = 'us' and "applications"."withdrawn_at" is null and "applications"."due_at" is null;--> statement-breakpoint
CREATE INDEX "applications_waiting_idx" ON "applications" USING btree ("box","created_at","id") WHERE "applications"."waiting_for" = 'them' and "applications"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "applications_done_idx" ON "applications" USING btree ("box","created_at","id") WHERE ("applications"."waiting_for" is null or "applications"."withdrawn_at" is not null);--> statement-breakpoint
CREATE INDEX "applications_fell_due_idx" ON "applications" USING btree ("box","due_at","answered_at") WHERE "applications"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "consultations_snoozed_idx" ON "consultations" USING btree ("box","snoozed_until","id","due_at","status","assignee_id") WHERE "consultations"."waiting_for" = 'us' and "consultations"."withdrawn_at" is null and "consultations"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "consultations_open_idx" ON "consultations" USING btree ("box","created_at","id") WHERE "consultations"."waiting_for" = 'us' and "consultations"."withdrawn_at" is null and "consultations"."due_at" is null;--> statement-breakpoint
CREATE INDEX "consultations_waiting_idx" ON "consultations" USING btree ("box","created_at","id") WHERE "consultations"."waiting_for" = 'them' and "consultations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "consultations_done_idx" ON "consultations" USING btree ("box","created_at","id") WHERE ("consultations"."waiting_for" is null or "consultations"."withdrawn_at" is not null);--> statement-breakpoint
CREATE INDEX "consultations_fell_due_idx" ON "consultations" USING btree ("box","due_at","answered_at") WHERE "consultations"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "contacts_snoozed_idx" ON "contacts" USING btree ("box","snoozed_until","id","due_at","status","assignee_id") WHERE "contacts"."waiting_for" = 'us' and "contacts"."withdrawn_at" is null and "contacts"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "contacts_open_idx" ON "contacts" USING btree ("box","created_at","id") WHERE "contacts"."waiting_for" = 'us' and "contacts"."withdrawn_at" is null and "contacts"."due_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_waiting_idx" ON "contacts" USING btree ("box","created_at","id") WHERE "contacts"."waiting_for" = 'them' and "contacts"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_done_idx" ON "contacts" USING btree ("box","created_at","id") WHERE ("contacts"."waiting_for" is null or "contacts"."withdrawn_at" is not null);--> statement-breakpoint
CREATE INDEX "contacts_fell_due_idx" ON "contacts" USING btree ("box","due_at","answered_at") WHERE "contacts"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "applications_owed_idx" ON "applications" USING btree ("box","due_at","id","snoozed_until","status","assignee_id") WHERE "applications"."waiting_for" = 'us' and "applications"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "applications_unanswered_idx" ON "applications" USING btree ("position","created_at") WHERE "applications"."box" = 'inbox' and "applications"."waiting_for" = 'us' and "applications"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "consultations_owed_idx" ON "consultations" USING btree ("box","due_at","id","snoozed_until","status","assignee_id") WHERE "consultations"."waiting_for" = 'us' and "consultations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_owed_idx" ON "contacts" USING btree ("box","due_at","id","snoozed_until","status","assignee_id") WHERE "contacts"."waiting_for" = 'us' and "contacts"."withdrawn_at" is null;