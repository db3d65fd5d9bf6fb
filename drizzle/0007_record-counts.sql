ALTER TABLE tallies RENAME TO record_counts;
--> statement-breakpoint
ALTER TABLE record_counts RENAME CONSTRAINT tallies_kind_box_status_assignee_id_pk TO record_counts_kind_box_status_assignee_id_pk;
--> statement-breakpoint
-- For the release before this one, which still runs while this is applied. It only reads here.
CREATE VIEW tallies AS SELECT * FROM record_counts;
--> statement-breakpoint
ALTER FUNCTION keep_tallies() RENAME TO keep_record_counts;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_record_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), count(*)
    FROM new_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, box, status, assignee_id) DO UPDATE SET n = t.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, n)
    SELECT TG_TABLE_NAME, box, status, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000'), -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (kind, box, status, assignee_id) DO UPDATE SET n = t.n + excluded.n;
  ELSE
    INSERT INTO record_counts AS t (kind, box, status, assignee_id, n)
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
ALTER TRIGGER contacts_tally_insert ON contacts RENAME TO contacts_count_insert;
--> statement-breakpoint
ALTER TRIGGER contacts_tally_update ON contacts RENAME TO contacts_count_update;
--> statement-breakpoint
ALTER TRIGGER contacts_tally_delete ON contacts RENAME TO contacts_count_delete;
--> statement-breakpoint
ALTER TRIGGER consultations_tally_insert ON consultations RENAME TO consultations_count_insert;
--> statement-breakpoint
ALTER TRIGGER consultations_tally_update ON consultations RENAME TO consultations_count_update;
--> statement-breakpoint
ALTER TRIGGER consultations_tally_delete ON consultations RENAME TO consultations_count_delete;
--> statement-breakpoint
ALTER TRIGGER applications_tally_insert ON applications RENAME TO applications_count_insert;
--> statement-breakpoint
ALTER TRIGGER applications_tally_update ON applications RENAME TO applications_count_update;
--> statement-breakpoint
ALTER TRIGGER applications_tally_delete ON applications RENAME TO applications_count_delete;
