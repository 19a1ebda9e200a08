import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Makes deliveries of the emails that a process of the former version wrote and does not send at this moment: what it
 * writes during an update reaches no destination. To be removed in the version after next, with `Message.former` and the
 * columns of `notifications` that only these emails have.
 */
export async function adoptFormerEmails(db: Db): Promise<void> {
  await sql`
    with former as (
      select * from notifications where due_at < 'infinity' and text is not null and coalesce(lease_until <= now(), true)
      for update skip locked),
    adopted as (
      update notifications set due_at = 'infinity', to_address = null, text = null, html = null, lease_until = null,
        message = jsonb_build_object('subject', former.subject, 'blocks', '[]'::jsonb, 'events', '[]'::jsonb, 'outage', null,
          'occurredAt', (extract(epoch from former.created_at) * 1000)::bigint,
          'former', jsonb_build_object('text', former.text, 'html', former.html))
      from former where notifications.id = former.id)
    insert into deliveries (notification_id, channel, to_address, created_at, due_at, attempts, last_error)
    select id, 'email', to_address, created_at, due_at, attempts, last_error from former`.execute(db);
}
