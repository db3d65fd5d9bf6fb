CREATE TABLE "keyed_calls" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"key" text NOT NULL,
	"content_hash" text NOT NULL,
	"target_id" uuid,
	"outcome" jsonb NOT NULL,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "keyed_calls_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE INDEX "keyed_calls_target_idx" ON "keyed_calls" USING btree ("target_id");--> statement-breakpoint
CREATE INDEX "keyed_calls_created_idx" ON "keyed_calls" USING btree ("created_at");