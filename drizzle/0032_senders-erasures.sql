ALTER TABLE "events" DROP CONSTRAINT "events_via_known";--> statement-breakpoint
ALTER TABLE "keyed_calls" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_via_known" CHECK ("events"."via" in ('start', 'command', 'retention', 'sender'));--> statement-breakpoint
-- What was being written about records while they were deleted: the statement that deletes them waits for it and
-- cannot see it. Each query of a trigger sees what is stored by then, so that an erasure stays one statement.
CREATE FUNCTION purge_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM mail m USING old_rows g WHERE m.record_kind = TG_TABLE_NAME AND m.record_id = g.id;
  DELETE FROM idempotency_keys k USING old_rows g WHERE k.kind = TG_TABLE_NAME AND k.record_id = g.id;
  DELETE FROM keyed_calls k USING old_rows g WHERE k.target_id = g.id;
  DELETE FROM record_codes c USING old_rows g WHERE c.record_id = g.id;
  DELETE FROM inbound_mail i USING old_rows g WHERE i.record_kind = TG_TABLE_NAME AND i.record_id = g.id;
  DELETE FROM record_links l USING old_rows g WHERE l.record_kind = TG_TABLE_NAME AND l.record_id = g.id;
  DELETE FROM webhook_deliveries d USING old_rows g WHERE d.record_kind = TG_TABLE_NAME AND d.record_id = g.id;
  DELETE FROM record_writers w USING old_rows g WHERE w.record_id = g.id;
  DELETE FROM appointments a USING old_rows g WHERE a.record_id = g.id;
  -- An accepted offer may stay without its record; the statement has decided that.
  DELETE FROM offers o USING old_rows g WHERE o.record_id = g.id AND o.state <> 'accepted';
  DELETE FROM agent_drafts d USING old_rows g WHERE d.record_id = g.id;
  DELETE FROM agent_proposals p USING old_rows g WHERE p.record_id = g.id;
  DELETE FROM drafts d USING old_rows g WHERE d.record_id = g.id;
  DELETE FROM record_reads r USING old_rows g WHERE r.record_id = g.id;
  DELETE FROM events e USING old_rows g
  WHERE e.target_kind = TG_TABLE_NAME AND e.target_id = g.id AND (e.kind = 'note' OR e.by IS NULL) AND e.via IS NULL;
  UPDATE events e SET before = NULL, after = NULL, text = NULL FROM old_rows g
  WHERE e.target_kind = TG_TABLE_NAME AND e.target_id = g.id
    AND (e.before IS NOT NULL OR e.after IS NOT NULL OR e.text IS NOT NULL);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER contacts_purge_late AFTER DELETE ON contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION purge_late();
--> statement-breakpoint
CREATE TRIGGER consultations_purge_late AFTER DELETE ON consultations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION purge_late();
--> statement-breakpoint
CREATE TRIGGER applications_purge_late AFTER DELETE ON applications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION purge_late();
