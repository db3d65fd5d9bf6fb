-- A statement counts as of its own beginning. What a function counts is as of its call, so that a statement that
-- waited for a lock on the owner counts what was added meanwhile, too.
CREATE FUNCTION views_now(owner uuid) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE n bigint;
BEGIN
  SELECT count(*) INTO n FROM views WHERE user_id = owner;
  RETURN n;
END
$$;
--> statement-breakpoint
-- Those that get notifications, without the one of this hash.
CREATE FUNCTION other_devices_now(owner uuid, version integer, hash text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE n bigint;
BEGIN
  SELECT count(*) INTO n FROM push_subscriptions
  WHERE user_id = owner AND credential_version = version AND endpoint_hash <> hash;
  RETURN n;
END
$$;
