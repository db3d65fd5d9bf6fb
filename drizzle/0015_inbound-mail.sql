CREATE TABLE "inbound_mail" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"fingerprint" text NOT NULL,
	"record_kind" text NOT NULL,
	"record_id" uuid NOT NULL,
	"kept_as" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inbound_mail_fingerprint_unique" UNIQUE("fingerprint")
);
--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "message_id" text;--> statement-breakpoint
CREATE INDEX "inbound_mail_record_idx" ON "inbound_mail" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "mail_message_id_idx" ON "mail" USING btree ("message_id") WHERE "mail"."message_id" is not null;