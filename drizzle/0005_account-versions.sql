DROP INDEX "events_audit_idx";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "via" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "credential_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "credential_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- What a start and the reset command did before they said so.
UPDATE "events" SET "via" = CASE WHEN "fields" = '{password}' THEN 'command' ELSE 'start' END
WHERE "by" IS NULL AND "kind" IN ('user.create', 'user.update');--> statement-breakpoint
CREATE INDEX "events_audit_idx" ON "events" USING btree ("id") WHERE "events"."by" is not null or "events"."via" is not null;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_via_known" CHECK ("events"."via" in ('start', 'command', 'retention'));