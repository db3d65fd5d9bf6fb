CREATE TABLE "applications" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"acted_by" text,
	"acted_at" timestamp (3) with time zone,
	"assignee_id" uuid,
	"box" text DEFAULT 'inbox' NOT NULL,
	"trashed_from" text,
	"trashed_at" timestamp (3) with time zone,
	"spam" text[],
	"source" jsonb,
	"consent_terms" text,
	"consent_at" timestamp (3) with time zone,
	"keep" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text NOT NULL,
	"text_hash" text NOT NULL,
	"phone" text,
	"location" text NOT NULL,
	"position" text NOT NULL,
	"university" text NOT NULL,
	"year_of_study" integer NOT NULL,
	"major" text NOT NULL,
	"portfolio" text,
	"linkedin" text,
	"cover_letter" text NOT NULL,
	"resume_url" text NOT NULL,
	CONSTRAINT "applications_status_known" CHECK ("applications"."status" in ('new', 'reviewing', 'interviewed', 'accepted', 'rejected')),
	CONSTRAINT "applications_box_known" CHECK ("applications"."box" in ('inbox', 'spam', 'trash')),
	CONSTRAINT "applications_trash_whole" CHECK (("applications"."box" = 'trash') = ("applications"."trashed_at" is not null) and ("applications"."box" = 'trash') = ("applications"."trashed_from" is not null)),
	CONSTRAINT "applications_year_in_range" CHECK ("applications"."year_of_study" between 1 and 6)
);
--> statement-breakpoint
CREATE TABLE "consultations" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"acted_by" text,
	"acted_at" timestamp (3) with time zone,
	"assignee_id" uuid,
	"box" text DEFAULT 'inbox' NOT NULL,
	"trashed_from" text,
	"trashed_at" timestamp (3) with time zone,
	"spam" text[],
	"source" jsonb,
	"consent_terms" text,
	"consent_at" timestamp (3) with time zone,
	"keep" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text NOT NULL,
	"text_hash" text NOT NULL,
	"phone" text NOT NULL,
	"company" text,
	"service" text NOT NULL,
	"message" text NOT NULL,
	"preferred_date" date NOT NULL,
	CONSTRAINT "consultations_status_known" CHECK ("consultations"."status" in ('pending', 'contacted', 'completed')),
	CONSTRAINT "consultations_box_known" CHECK ("consultations"."box" in ('inbox', 'spam', 'trash')),
	CONSTRAINT "consultations_trash_whole" CHECK (("consultations"."box" = 'trash') = ("consultations"."trashed_at" is not null) and ("consultations"."box" = 'trash') = ("consultations"."trashed_from" is not null))
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"acted_by" text,
	"acted_at" timestamp (3) with time zone,
	"assignee_id" uuid,
	"box" text DEFAULT 'inbox' NOT NULL,
	"trashed_from" text,
	"trashed_at" timestamp (3) with time zone,
	"spam" text[],
	"source" jsonb,
	"consent_terms" text,
	"consent_at" timestamp (3) with time zone,
	"keep" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" text NOT NULL,
	"text_hash" text NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "contacts_status_known" CHECK ("contacts"."status" in ('new', 'handled')),
	CONSTRAINT "contacts_box_known" CHECK ("contacts"."box" in ('inbox', 'spam', 'trash')),
	CONSTRAINT "contacts_trash_whole" CHECK (("contacts"."box" = 'trash') = ("contacts"."trashed_at" is not null) and ("contacts"."box" = 'trash') = ("contacts"."trashed_from" is not null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"change_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"by_id" uuid,
	"by" text,
	"kind" text NOT NULL,
	"target_kind" text,
	"target_id" uuid,
	"fields" text[] DEFAULT '{}' NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"text" text,
	"version" integer
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"record_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"kind" text NOT NULL,
	"record_kind" text NOT NULL,
	"record_id" uuid NOT NULL,
	"recipient" text NOT NULL,
	"reply_to" text,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"last_error" text,
	"provider_id" text,
	"delivery" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "mail_status_known" CHECK ("mail"."status" in ('held', 'waiting', 'sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" timestamp (3) with time zone[] NOT NULL,
	"max" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rate_limits_within" CHECK (cardinality("rate_limits"."hits") <= "rate_limits"."max")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"browser" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "tallies" (
	"kind" text NOT NULL,
	"box" text NOT NULL,
	"status" text NOT NULL,
	"assignee_id" uuid NOT NULL,
	"n" bigint NOT NULL,
	CONSTRAINT "tallies_kind_box_status_assignee_id_pk" PRIMARY KEY("kind","box","status","assignee_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_role_known" CHECK ("users"."role" in ('user', 'reviewer', 'editor', 'admin', 'superuser'))
);
--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applications_newest_idx" ON "applications" USING btree ("box","created_at","id");--> statement-breakpoint
CREATE INDEX "applications_status_newest_idx" ON "applications" USING btree ("box","status","created_at","id");--> statement-breakpoint
CREATE INDEX "applications_name_idx" ON "applications" USING btree ("box",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "applications_status_name_idx" ON "applications" USING btree ("box","status",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "applications_assignee_idx" ON "applications" USING btree ("assignee_id","box","created_at","id");--> statement-breakpoint
CREATE INDEX "applications_email_idx" ON "applications" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "applications_text_idx" ON "applications" USING btree ("text_hash","created_at");--> statement-breakpoint
CREATE INDEX "applications_created_idx" ON "applications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "applications_trashed_idx" ON "applications" USING btree ("trashed_at");--> statement-breakpoint
CREATE INDEX "applications_search_idx" ON "applications" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "consultations_newest_idx" ON "consultations" USING btree ("box","created_at","id");--> statement-breakpoint
CREATE INDEX "consultations_status_newest_idx" ON "consultations" USING btree ("box","status","created_at","id");--> statement-breakpoint
CREATE INDEX "consultations_name_idx" ON "consultations" USING btree ("box",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "consultations_status_name_idx" ON "consultations" USING btree ("box","status",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "consultations_assignee_idx" ON "consultations" USING btree ("assignee_id","box","created_at","id");--> statement-breakpoint
CREATE INDEX "consultations_email_idx" ON "consultations" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "consultations_text_idx" ON "consultations" USING btree ("text_hash","created_at");--> statement-breakpoint
CREATE INDEX "consultations_created_idx" ON "consultations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "consultations_trashed_idx" ON "consultations" USING btree ("trashed_at");--> statement-breakpoint
CREATE INDEX "consultations_search_idx" ON "consultations" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_newest_idx" ON "contacts" USING btree ("box","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_status_newest_idx" ON "contacts" USING btree ("box","status","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_name_idx" ON "contacts" USING btree ("box",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "contacts_status_name_idx" ON "contacts" USING btree ("box","status",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "contacts_assignee_idx" ON "contacts" USING btree ("assignee_id","box","created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_email_idx" ON "contacts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "contacts_text_idx" ON "contacts" USING btree ("text_hash","created_at");--> statement-breakpoint
CREATE INDEX "contacts_created_idx" ON "contacts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contacts_trashed_idx" ON "contacts" USING btree ("trashed_at");--> statement-breakpoint
CREATE INDEX "contacts_search_idx" ON "contacts" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "events_target_idx" ON "events" USING btree ("target_kind","target_id","id");--> statement-breakpoint
CREATE INDEX "events_change_idx" ON "events" USING btree ("change_id");--> statement-breakpoint
CREATE INDEX "events_audit_idx" ON "events" USING btree ("id") WHERE "events"."by" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_record_idx" ON "idempotency_keys" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_due_idx" ON "mail" USING btree ("next_attempt_at") WHERE "mail"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "mail_state_idx" ON "mail" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "mail_record_idx" ON "mail" USING btree ("record_kind","record_id");--> statement-breakpoint
CREATE INDEX "mail_recipient_idx" ON "mail" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "mail_provider_idx" ON "mail" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "rate_limits_updated_idx" ON "rate_limits" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "sessions_user_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));