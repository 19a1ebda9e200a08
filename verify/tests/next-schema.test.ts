import { onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { newAdvertiser, waitForStatuses } from '../../test/support/product.ts';
import { startWorld } from '../../test/support/world.ts';

/** As of the next version: a column more in every table, and a table more. */
const NEXT = `
do $$ declare of_table text; begin
  for of_table in select table_name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'
    and to_regclass(table_name) not in (select inhrelid from pg_inherits)
  loop execute format('alter table %I add column of_next_version text not null default ''more''', of_table); end loop;
end $$;
create table of_next_version (id text primary key);
insert into kysely_migration values ('9999-of-next-version', now()::text);`;

test('a process starts on the schema of the next version, pauses and resumes', async () => {
  const database = await freshDatabase();
  await database.pool.query(NEXT);
  const world = await startWorld({ database });
  onTestFinished(world.close);
  const { product, simulators } = world;
  await simulators.status.reports('Resolved');
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  await simulators.status.reports('High disruptions');
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await simulators.status.reports('Resolved');
  await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);
  await world.until('the log of both', async () => {
    const { activities } = await who.user.get<{ activities: { kind: string }[] }>('/api/activities');
    return ['paused', 'resumed'].every((act) => activities.some(({ kind }) => kind === act));
  });
});
