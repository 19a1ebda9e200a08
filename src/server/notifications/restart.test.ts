import { afterAll, beforeAll, test } from 'vitest';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase, outliving } from '../../../test/support/database.ts';
import { nextMailTo } from '../../../test/support/mail.ts';
import { newAdvertiser, startProduct } from '../../../test/support/product.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { claimDueMails } from '../db/mails.ts';

const MONTH = 30 * 86_400_000;
let simulators: Simulators;
let database: FreshDatabase;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  database = await freshDatabase();
});
afterAll(() => simulators.stop());

test('[ENG-13] a mail that the last process had just taken is not waited for with the embedded database', async () => {
  const last = await startProduct({ simulators, database: outliving(database) });
  await simulators.mailbox.fault({ kind: 'refuse_connection', times: 0 });
  const who = await newAdvertiser({ product: last, simulators, campaigns: [] });
  await waitFor('a mail that is not sent to be taken', async () => {
    const now = last.clock.now();
    return (await claimDueMails(last.app.db, 5, now + MONTH, now + 60_000)).length > 0;
  });
  await last.close();
  await simulators.mailbox.ask('DELETE', '/faults');

  const next = await startProduct({ simulators, database: { ...database, exclusive: true } });
  await nextMailTo({ product: next, simulators }, who.email, /./);
  await next.close();
});
