ALTER TABLE "applications" ADD COLUMN "position_label" text;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "service_label" text;--> statement-breakpoint
-- Records that were sent before keep what the site called their choice then.
update "applications" set "position_label" = case "position"
  when 'frontend-intern' then 'Frontend Development Intern'
  when 'ui-ux-intern' then 'UI/UX Design Intern'
  when 'backend-intern' then 'Backend Development Intern'
  when 'digital-marketing-intern' then 'Digital Marketing Intern'
  else 'Internship Position' end
where "position_label" is null;
--> statement-breakpoint
update "consultations" set "service_label" = case "service"
  when 'website-creation' then 'Website Creation (Free Consultation)'
  when 'basic-package' then 'Basic Package ($299/month)'
  when 'premium-package' then 'Premium Package ($599/month)'
  else 'Custom Requirements' end
where "service_label" is null;
