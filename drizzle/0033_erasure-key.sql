ALTER TABLE "erasures" DROP CONSTRAINT "erasures_what_known";--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_what_known" CHECK ("erasures"."what" in ('address', 'record', 'link', 'key'));--> statement-breakpoint
-- A link that has ended stays ended after a restore, also where its record's row comes back with an older backup.
INSERT INTO erasures (what, hash, erased_at) SELECT 'link', token_hash, ended_at FROM record_links WHERE ended_at IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION remember_ended_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO erasures (what, hash) VALUES ('link', NEW.token_hash) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER record_links_remember_ended AFTER UPDATE OF ended_at ON record_links FOR EACH ROW
WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION remember_ended_link();
