CREATE TABLE "setup_steps" (
	"key" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "events_text_idx" ON "events" USING gin (lower("text") gin_trgm_ops) WHERE "events"."kind" in ('message', 'reply', 'note');