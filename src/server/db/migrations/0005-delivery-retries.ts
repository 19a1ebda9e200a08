/** What a receiver refuses is repeated without its later messages. A page reads the deliveries of some days. */
export const DELIVERY_RETRIES = `
alter table deliveries add column holds_up boolean not null default true; -- later ones to its destination wait for it
create index deliveries_of_days on deliveries (destination_id, created_at) where destination_id is not null;`;
