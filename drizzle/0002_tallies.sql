-- One function for the three record tables: TG_TABLE_NAME is the kind. Rows are folded before they
-- are written, and written in key order, so that two bulk changes never wait for each other in a ring.
CREATE FUNCTION keep_tallies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tallies AS t (kind, box, status, assignee_id, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), count(*)
    FROM new_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, box, status, assignee_id) DO UPDATE SET n = t.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tallies AS t (kind, box, status, assignee_id, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, box, status, assignee_id) DO UPDATE SET n = t.n + excluded.n;
  ELSE
    INSERT INTO tallies AS t (kind, box, status, assignee_id, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), sum(d)
    FROM (
      SELECT box, status, assignee_id, 1 AS d FROM new_rows
      UNION ALL
      SELECT box, status, assignee_id, -1 FROM old_rows
    ) AS changes
    GROUP BY 1, 2, 3, 4 HAVING sum(d) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, box, status, assignee_id) DO UPDATE SET n = t.n + excluded.n;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER contacts_tally_insert AFTER INSERT ON contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER contacts_tally_update AFTER UPDATE ON contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER contacts_tally_delete AFTER DELETE ON contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER consultations_tally_insert AFTER INSERT ON consultations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER consultations_tally_update AFTER UPDATE ON consultations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER consultations_tally_delete AFTER DELETE ON consultations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER applications_tally_insert AFTER INSERT ON applications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER applications_tally_update AFTER UPDATE ON applications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();
--> statement-breakpoint
CREATE TRIGGER applications_tally_delete AFTER DELETE ON applications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_tallies();

--> statement-breakpoint
-- Records that came before the triggers. The triggers' own locks keep new ones out until this is committed.
INSERT INTO tallies (kind, box, status, assignee_id, n)
SELECT kind, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), count(*)
FROM (
  SELECT 'contacts' AS kind, box, status, assignee_id FROM contacts
  UNION ALL
  SELECT 'consultations', box, status, assignee_id FROM consultations
  UNION ALL
  SELECT 'applications', box, status, assignee_id FROM applications
) AS records
GROUP BY 1, 2, 3, 4;
