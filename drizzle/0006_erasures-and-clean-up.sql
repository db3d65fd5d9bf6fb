CREATE TABLE "erasures" (
	"what" text NOT NULL,
	"hash" text NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "erasures_what_hash_pk" PRIMARY KEY("what","hash"),
	CONSTRAINT "erasures_what_known" CHECK ("erasures"."what" in ('address', 'record'))
);
--> statement-breakpoint
CREATE TABLE "markers" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "markers_name_known" CHECK ("markers"."name" in ('retention', 'demonstration'))
);
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_by_id_users_id_fk";
--> statement-breakpoint
CREATE INDEX "applications_rejected_idx" ON "applications" USING btree ("acted_at") WHERE "applications"."status" = 'rejected';--> statement-breakpoint
CREATE INDEX "mail_body_idx" ON "mail" USING btree (coalesce("sent_at", "created_at")) WHERE "mail"."status" in ('sent', 'failed') and "mail"."text" <> '';--> statement-breakpoint
CREATE INDEX "sessions_expiry_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
-- The clean-up counts as successful until it could have run: after two days without it staff are told.
INSERT INTO "markers" ("name") VALUES ('retention');
