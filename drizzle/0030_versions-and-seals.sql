ALTER TABLE "templates" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "views" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "content" text;--> statement-breakpoint
CREATE INDEX "events_refused_idx" ON "events" USING btree (("details"->>'ipHash'),"id") WHERE "events"."kind" = 'sign_in_refused';
--> statement-breakpoint
-- A function sees what was committed while it waited for its lock, so that of refusals at once none makes a second entry.
-- It runs as its owner: the program's own role cannot change entries.
CREATE FUNCTION log_refused_sign_in(email_hash text, ip_hash text) RETURNS void LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('refused:' || coalesce(email_hash, '') || ip_hash, 0));
  UPDATE events SET details = jsonb_set(details, '{count}', to_jsonb(coalesce((details->>'count')::int, 1) + 1))
  WHERE id = (
    SELECT id FROM events
    WHERE kind = 'sign_in_refused' AND details->>'ipHash' = ip_hash
      AND details->>'emailHash' IS NOT DISTINCT FROM email_hash AND at > now() - interval '1 hour'
    ORDER BY id DESC LIMIT 1
  );
  IF NOT FOUND THEN
    INSERT INTO events (change_id, kind, details) VALUES (
      uuid_v7(), 'sign_in_refused',
      jsonb_strip_nulls(jsonb_build_object('emailHash', email_hash, 'ipHash', ip_hash, 'count', 1))
    );
  END IF;
END
$$;
