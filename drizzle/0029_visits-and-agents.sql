CREATE TABLE "agent_drafts" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"record_kind" text NOT NULL,
	"record_id" uuid NOT NULL,
	"token_id" uuid NOT NULL,
	"token" text NOT NULL,
	"by" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_drafts_token_key" UNIQUE("record_id","token_id")
);
--> statement-breakpoint
CREATE TABLE "agent_proposals" (
	"record_id" uuid PRIMARY KEY NOT NULL,
	"record_kind" text NOT NULL,
	"status" text NOT NULL,
	"why" text NOT NULL,
	"token" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_counts" (
	"day" date NOT NULL,
	"page" text NOT NULL,
	"source" text NOT NULL,
	"wide" boolean NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"begun" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "visit_counts_day_page_source_wide_pk" PRIMARY KEY("day","page","source","wide")
);
--> statement-breakpoint
CREATE INDEX "agent_drafts_at_idx" ON "agent_drafts" USING btree ("at");