CREATE TABLE "record_links" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"record_kind" text NOT NULL,
	"record_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"reply_hash" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "record_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "record_links_reply_hash_unique" UNIQUE("reply_hash")
);
--> statement-breakpoint
CREATE TABLE "record_writers" (
	"record_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "record_writers_record_id_user_id_pk" PRIMARY KEY("record_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"kind" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail" DROP CONSTRAINT "mail_status_known";--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "event_id" uuid;--> statement-breakpoint
ALTER TABLE "record_writers" ADD CONSTRAINT "record_writers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_links_record_idx" ON "record_links" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "mail_event_idx" ON "mail" USING btree ("event_id") WHERE "mail"."event_id" is not null;--> statement-breakpoint
ALTER TABLE "mail" ADD CONSTRAINT "mail_status_known" CHECK ("mail"."status" in ('held', 'waiting', 'sent', 'failed', 'recalled'));