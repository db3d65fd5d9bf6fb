CREATE TABLE "drafts" (
	"record_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"record_kind" text NOT NULL,
	"text" text NOT NULL,
	"subject" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_record_id_user_id_pk" PRIMARY KEY("record_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "record_reads" (
	"user_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"record_kind" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "record_reads_user_id_record_id_pk" PRIMARY KEY("user_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "unread_since" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unread_since_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
ALTER TABLE "staff_settings" ADD COLUMN "display_name" text;--> statement-breakpoint
ALTER TABLE "staff_settings" ADD COLUMN "signature" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "heard_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "heard_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "heard_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "from_name" text;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_reads" ADD CONSTRAINT "record_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unread_since" ADD CONSTRAINT "unread_since_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "drafts_user_idx" ON "drafts" USING btree ("user_id","record_kind");--> statement-breakpoint
CREATE INDEX "record_reads_record_idx" ON "record_reads" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "applications_heard_idx" ON "applications" USING btree ("box","heard_at");--> statement-breakpoint
CREATE INDEX "consultations_heard_idx" ON "consultations" USING btree ("box","heard_at");--> statement-breakpoint
CREATE INDEX "contacts_heard_idx" ON "contacts" USING btree ("box","heard_at");
--> statement-breakpoint
UPDATE consultations SET heard_at = created_at;
--> statement-breakpoint
UPDATE applications SET heard_at = created_at;
--> statement-breakpoint
UPDATE contacts SET heard_at = created_at;
--> statement-breakpoint
-- Who has an account already begins with nothing unread.
INSERT INTO unread_since (user_id, kind)
SELECT u.id, k.kind FROM users u, (VALUES ('consultations'), ('applications'), ('contacts')) AS k (kind);
--> statement-breakpoint
INSERT INTO templates (name, text, kind)
SELECT t.name, t.text, t.kind FROM (VALUES
  ('First answer', 'Hello {name},

thank you for your request: {service}. {?one sentence on what you understood}

The next step is a talk of 30 minutes, free and without obligation. {?when you could talk}

Best regards', 'consultations'),
  ('Two times', 'Hello {name},

let us talk for 30 minutes. Would {?first day and hour} or {?second day and hour} suit you? If neither does, answer with a time that would.

Best regards', 'consultations'),
  ('Kind refusal', 'Hello {name},

thank you for applying ({position}), and for the time that you took. We have decided for other candidates. {?what you liked about the application}

We keep nothing longer than our privacy page says, and wish you the best for your studies.

Best regards', 'applications'),
  ('Invitation to talk', 'Hello {name},

your application ({position}) made us curious. {?what you want to hear more about}

Could we talk for 30 minutes, by video, on {?first day and hour} or {?second day and hour}?

Best regards', 'applications')
) AS t (name, text, kind)
WHERE NOT EXISTS (SELECT FROM templates);
