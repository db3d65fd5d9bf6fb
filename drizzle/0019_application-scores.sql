CREATE TABLE "application_scores" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"application_id" uuid NOT NULL,
	"user_id" uuid,
	"by" text NOT NULL,
	"criteria" jsonb NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "application_scores_own" UNIQUE("application_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "application_scores" ADD CONSTRAINT "application_scores_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_scores" ADD CONSTRAINT "application_scores_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_scores_user_idx" ON "application_scores" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "applications_unanswered_idx" ON "applications" USING btree ("position","created_at") WHERE "applications"."box" = 'inbox' and "applications"."status" in ('new', 'reviewing', 'interviewed') and "applications"."withdrawn_at" is null
  and ("applications"."last_message_at" is null or "applications"."waiting_for" = 'us');