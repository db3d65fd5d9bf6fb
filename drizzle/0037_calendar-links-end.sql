ALTER TABLE "calendar_links" ADD COLUMN "credential_version" integer;--> statement-breakpoint
UPDATE "calendar_links" l SET "credential_version" = u.credential_version FROM "users" u WHERE u.id = l.user_id;--> statement-breakpoint
ALTER TABLE "calendar_links" ALTER COLUMN "credential_version" SET NOT NULL;
