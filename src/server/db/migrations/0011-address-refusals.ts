/** A user may have two addresses, the confirmed one and that which is to replace it: each is refused on its own. */
export const ADDRESS_REFUSALS = `
alter table users add column refusals jsonb not null default '{}'; -- by address in lower case: since when, in ms, its mail server refuses it for good
update users set refusals = jsonb_build_object(lower(refused_email), (extract(epoch from refused_at) * 1000)::bigint)
  where refused_email is not null;`;
