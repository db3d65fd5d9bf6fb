CREATE TABLE "content_drafts" (
	"collection" text NOT NULL,
	"entry" text NOT NULL,
	"is_draft" boolean NOT NULL,
	"value" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "content_drafts_collection_entry_pk" PRIMARY KEY("collection","entry")
);
--> statement-breakpoint
CREATE TABLE "content_files" (
	"hash" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_previews" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"token_hash" text NOT NULL,
	"path" text NOT NULL,
	"by_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_previews_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "content_releases" (
	"n" integer PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"by_id" uuid,
	"by" text,
	"note" text,
	"state" text NOT NULL,
	"checking_at" timestamp (3) with time zone,
	"live_at" timestamp (3) with time zone,
	"replaces" integer,
	"shows" integer,
	"documents" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"pages" jsonb DEFAULT '[]' NOT NULL,
	"notices" jsonb DEFAULT '[]' NOT NULL,
	"problems" jsonb DEFAULT '[]' NOT NULL,
	CONSTRAINT "content_releases_replaces_unique" UNIQUE("replaces"),
	CONSTRAINT "content_releases_state_known" CHECK ("content_releases"."state" in ('drawing', 'checking', 'published', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "content_sites" (
	"n" integer NOT NULL,
	"build" text NOT NULL,
	"files" jsonb NOT NULL,
	CONSTRAINT "content_sites_n_build_pk" PRIMARY KEY("n","build")
);
