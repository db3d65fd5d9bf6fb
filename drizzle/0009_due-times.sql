ALTER TABLE "applications" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "waiting_for" text DEFAULT 'us';--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "last_message_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() + interval '24 hours';--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "waiting_for" text DEFAULT 'us';--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "last_message_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "waiting_for" text DEFAULT 'us';--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "last_message_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
-- Records of before: those past their first status were answered.
UPDATE "applications" SET "waiting_for" = NULL WHERE "status" <> 'new';--> statement-breakpoint
UPDATE "contacts" SET "waiting_for" = NULL WHERE "status" <> 'new';--> statement-breakpoint
UPDATE "consultations" SET "due_at" = "created_at" + interval '24 hours',
  "waiting_for" = CASE WHEN "status" = 'pending' THEN 'us' END;--> statement-breakpoint
CREATE INDEX "applications_due_idx" ON "applications" USING btree ("box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "applications_status_due_idx" ON "applications" USING btree ("box","status",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "applications_assignee_due_idx" ON "applications" USING btree ("assignee_id","box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "applications_owed_idx" ON "applications" USING btree ("box","due_at","snoozed_until","status","assignee_id") WHERE "applications"."waiting_for" = 'us' and "applications"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "consultations_due_idx" ON "consultations" USING btree ("box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "consultations_status_due_idx" ON "consultations" USING btree ("box","status",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "consultations_assignee_due_idx" ON "consultations" USING btree ("assignee_id","box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "consultations_owed_idx" ON "consultations" USING btree ("box","due_at","snoozed_until","status","assignee_id") WHERE "consultations"."waiting_for" = 'us' and "consultations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_due_idx" ON "contacts" USING btree ("box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "contacts_status_due_idx" ON "contacts" USING btree ("box","status",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "contacts_assignee_due_idx" ON "contacts" USING btree ("assignee_id","box",(case
  when "waiting_for" is distinct from 'us' or "withdrawn_at" is not null
    then 10000000000000::numeric - extract(epoch from "created_at" at time zone 'UTC')
  when "due_at" is null then 1000000000000::numeric
  else extract(epoch from greatest("due_at", "snoozed_until") at time zone 'UTC')
end),"id");--> statement-breakpoint
CREATE INDEX "contacts_owed_idx" ON "contacts" USING btree ("box","due_at","snoozed_until","status","assignee_id") WHERE "contacts"."waiting_for" = 'us' and "contacts"."withdrawn_at" is null;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_waiting_for_known" CHECK ("applications"."waiting_for" in ('us', 'them'));--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_waiting_for_known" CHECK ("consultations"."waiting_for" in ('us', 'them'));--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_waiting_for_known" CHECK ("contacts"."waiting_for" in ('us', 'them'));