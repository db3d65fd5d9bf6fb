DROP INDEX "applications_created_idx";--> statement-breakpoint
DROP INDEX "consultations_created_idx";--> statement-breakpoint
DROP INDEX "contacts_created_idx";