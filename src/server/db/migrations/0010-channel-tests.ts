/** A failed test is kept, and whether a destination has ever accepted anything. */
export const CHANNEL_TESTS = `
alter table destinations add column accepted_at timestamptz; -- when it first accepted a delivery or a test; null: never
alter table destinations add column tested_at timestamptz;   -- the last test
alter table destinations add column test_error text;         -- as its user reads it; null: it was accepted
update destinations set accepted_at = (
  select min(sent_at) from deliveries where destination_id = destinations.id and sent_at is not null);`;
