CREATE TABLE "content_images" (
	"id" uuid PRIMARY KEY DEFAULT uuid_v7() NOT NULL,
	"hash" text NOT NULL,
	"alt" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"body" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"by_id" uuid,
	CONSTRAINT "content_images_hash_unique" UNIQUE("hash")
);
