CREATE TABLE "visit_counts" (
	"day" date NOT NULL,
	"page" text NOT NULL,
	"source" text NOT NULL,
	"wide" boolean NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"begun" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "visit_counts_day_page_source_wide_pk" PRIMARY KEY("day","page","source","wide")
);
