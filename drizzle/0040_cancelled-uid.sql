-- The cancellation in a host's calendar names the appointment as its invitation did.
CREATE OR REPLACE FUNCTION purge_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM mail m USING old_rows g WHERE m.record_kind = TG_TABLE_NAME AND m.record_id = g.id;
  DELETE FROM idempotency_keys k USING old_rows g WHERE k.kind = TG_TABLE_NAME AND k.record_id = g.id;
  DELETE FROM keyed_calls k USING old_rows g WHERE k.target_id = g.id;
  DELETE FROM record_codes c USING old_rows g WHERE c.record_id = g.id;
  DELETE FROM inbound_mail i USING old_rows g WHERE i.record_kind = TG_TABLE_NAME AND i.record_id = g.id;
  DELETE FROM record_links l USING old_rows g WHERE l.record_kind = TG_TABLE_NAME AND l.record_id = g.id;
  DELETE FROM webhook_deliveries d USING old_rows g WHERE d.record_kind = TG_TABLE_NAME AND d.record_id = g.id;
  DELETE FROM record_writers w USING old_rows g WHERE w.record_id = g.id;
  -- The calendars of their hosts hear that they are cancelled, without a name.
  WITH late AS (DELETE FROM appointments a USING old_rows g WHERE a.record_id = g.id RETURNING a.*)
  INSERT INTO mail (kind, recipient, subject, text, html, status, calendar)
  SELECT 'account', h.email, 'An appointment', 'An appointment', '', 'waiting', jsonb_build_object(
    'what', 'cancelled', 'to', 'host', 'uid', x.id::text || '@record', 'sequence', x.sequence + 1,
    'stamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'start', to_char(x.start_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'end', to_char(x.end_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'place', x.place, 'name', null, 'record', null, 'host', null, 'text', null,
    'zone', coalesce(q.time_zone, 'UTC'))
  FROM late x JOIN users h ON h.id = x.host_id LEFT JOIN host_hours q ON q.user_id = h.id
  WHERE x.state = 'booked' AND x.end_at > now();
  -- An accepted offer may stay without its record; the statement has decided that.
  DELETE FROM offers o USING old_rows g WHERE o.record_id = g.id AND o.state <> 'accepted';
  DELETE FROM agent_drafts d USING old_rows g WHERE d.record_id = g.id;
  DELETE FROM agent_proposals p USING old_rows g WHERE p.record_id = g.id;
  DELETE FROM drafts d USING old_rows g WHERE d.record_id = g.id;
  DELETE FROM record_reads r USING old_rows g WHERE r.record_id = g.id;
  DELETE FROM events e USING old_rows g
  WHERE e.target_kind = TG_TABLE_NAME AND e.target_id = g.id AND (e.kind = 'note' OR e.by IS NULL) AND e.via IS NULL;
  UPDATE events e SET before = NULL, after = NULL, text = NULL FROM old_rows g
  WHERE e.target_kind = TG_TABLE_NAME AND e.target_id = g.id
    AND (e.before IS NOT NULL OR e.after IS NOT NULL OR e.text IS NOT NULL);
  RETURN NULL;
END
$$;
