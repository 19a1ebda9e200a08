/**
 * Fastify with nothing but routes that run the product's own queries, through the product's own pool: what an answer costs
 * before anybody asks who it is for, how often they ask, and what may be told. DATABASE_URL and PORT say where.
 */
import fastify from 'fastify';
import { createDb } from '../../../src/server/db/database.ts';
import { listCampaigns } from '../../../src/server/db/campaigns.ts';
import { countHeld } from '../../../src/server/db/holds/holds.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';
import { findPeopleOfSessions } from '../../../src/server/db/users/sessions.ts';
import { readStatus } from '../../../src/server/db/status/status.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const { DATABASE_URL: url, DATA_DIR: dataDir = '', PORT = '' } = process.env;
const database = await openDatabase({ url, dataDir, log: silent });
const db = createDb(database.pool);
const app = fastify();
const own = async (authorization = '') =>
  (await findPeopleOfSessions(db, [authorization.slice('Bearer '.length)], Date.now()))[0];

app.get('/api/me', ({ headers }) => own(headers.authorization));
app.get('/api/status', () => readStatus(db));
app.get('/api/user/status', async ({ headers }) => {
  const session = await own(headers.authorization);
  return { session, status: await readStatus(db), held: await countHeld(db, session?.person.id ?? '') };
});
app.get<{ Params: { id: string } }>('/api/campaigns/:id', async ({ headers, params }) => {
  const session = await own(headers.authorization);
  return { campaigns: await listCampaigns(db, session?.person.id ?? '', params.id) };
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.stdout.write('ready\n');
process.once(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(() => database.close())
      .then(() => process.exit(0)),
);
