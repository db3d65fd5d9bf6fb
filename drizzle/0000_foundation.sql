-- Search is literal text anywhere in a field: trigram indexes find it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- UUID version 7 (RFC 9562, section 5.7): milliseconds of Unix time, then random bits. PostgreSQL has
-- its own from version 18 on; older servers are still in use.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;
