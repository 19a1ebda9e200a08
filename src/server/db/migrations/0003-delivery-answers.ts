/** What pages show of deliveries to destinations, and send again: the message is kept for 30 days. */
export const DELIVERY_ANSWERS = `
alter table deliveries add column tried_at timestamptz; -- the last attempt
create index notifications_with_message on notifications (created_at) where message is not null;`;
