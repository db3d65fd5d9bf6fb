-- An exclusion constraint compares hosts by equality: btree_gist makes uuid fit a GiST index.
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE TABLE "calendar_links" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "host_hours" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"weekly" jsonb NOT NULL,
	"minutes" integer NOT NULL,
	"buffer" integer NOT NULL,
	"notice_hours" integer NOT NULL,
	"horizon_days" integer NOT NULL,
	"place" text NOT NULL,
	"busy_sealed" text,
	"busy_times" jsonb,
	"busy_read_at" timestamp (3) with time zone,
	"busy_tried_at" timestamp (3) with time zone,
	"busy_problem" text,
	"busy_outcome" text
);
--> statement-breakpoint
CREATE TABLE "appointments" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"record_id" uuid NOT NULL,
	"host_id" uuid,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"place" text NOT NULL,
	"state" text NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "appointments_state_known" CHECK ("appointments"."state" in ('booked', 'cancelled', 'past')),
	CONSTRAINT "appointments_in_order" CHECK ("appointments"."start_at" < "appointments"."end_at")
);
--> statement-breakpoint
CREATE TABLE "offers" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"record_id" uuid NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"lines" jsonb NOT NULL,
	"currency" text NOT NULL,
	"starts_on" date,
	"valid_until" date NOT NULL,
	"terms" text NOT NULL,
	"hash" text,
	"event_id" uuid,
	"replaces_id" uuid,
	"by" text,
	"sent_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"answer_name" text,
	"answer_text" text,
	"answer_ip" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offers_state_known" CHECK ("offers"."state" in ('draft', 'sent', 'accepted', 'declined', 'replaced', 'recalled'))
);
--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "calendar" jsonb;--> statement-breakpoint
ALTER TABLE "calendar_links" ADD CONSTRAINT "calendar_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_hours" ADD CONSTRAINT "host_hours_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_host_id_users_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_one_booked" ON "appointments" USING btree ("record_id") WHERE "appointments"."state" = 'booked';--> statement-breakpoint
CREATE INDEX "appointments_record_idx" ON "appointments" USING btree ("record_id","id");--> statement-breakpoint
CREATE INDEX "appointments_host_idx" ON "appointments" USING btree ("host_id","start_at");--> statement-breakpoint
CREATE INDEX "appointments_start_idx" ON "appointments" USING btree ("start_at");--> statement-breakpoint
CREATE INDEX "offers_record_idx" ON "offers" USING btree ("record_id","id");--> statement-breakpoint
CREATE INDEX "offers_event_idx" ON "offers" USING btree ("event_id") WHERE "offers"."event_id" is not null;--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_apart" EXCLUDE USING gist ("host_id" WITH =, tstzrange("start_at", "held_until") WITH &&) WHERE ("state" = 'booked');
