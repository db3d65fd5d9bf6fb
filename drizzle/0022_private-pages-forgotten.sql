-- The address of a sender's page holds its token, and one of the admin names a record.
UPDATE "contacts" SET "source" = nullif("source" - 'landingPage', '{}'::jsonb) WHERE "source"->>'landingPage' ~* '^[/\\]*(api/+)?(status|admin|preview)([/?#]|$)';--> statement-breakpoint
UPDATE "consultations" SET "source" = nullif("source" - 'landingPage', '{}'::jsonb) WHERE "source"->>'landingPage' ~* '^[/\\]*(api/+)?(status|admin|preview)([/?#]|$)';--> statement-breakpoint
UPDATE "applications" SET "source" = nullif("source" - 'landingPage', '{}'::jsonb) WHERE "source"->>'landingPage' ~* '^[/\\]*(api/+)?(status|admin|preview)([/?#]|$)';--> statement-breakpoint
UPDATE "contacts" SET "source" = nullif("source" - 'referrer', '{}'::jsonb) WHERE "source"->>'referrer' ~* '^([a-z]+:)?/*[^/?#]*/+(api/+)?(status|admin|preview)([/?#]|$)';--> statement-breakpoint
UPDATE "consultations" SET "source" = nullif("source" - 'referrer', '{}'::jsonb) WHERE "source"->>'referrer' ~* '^([a-z]+:)?/*[^/?#]*/+(api/+)?(status|admin|preview)([/?#]|$)';--> statement-breakpoint
UPDATE "applications" SET "source" = nullif("source" - 'referrer', '{}'::jsonb) WHERE "source"->>'referrer' ~* '^([a-z]+:)?/*[^/?#]*/+(api/+)?(status|admin|preview)([/?#]|$)';
