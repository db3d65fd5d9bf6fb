ALTER TABLE "audit_seals" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "content" text;--> statement-breakpoint
CREATE INDEX "events_refused_idx" ON "events" USING btree (("details"->>'ipHash'),"id") WHERE "events"."kind" = 'sign_in_refused';