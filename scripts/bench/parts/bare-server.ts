/**
 * Fastify with only the routes that run the product's own queries through the product's own pool: the cost
 * of a response without authentication, rate limits and access checks. Settings: DATABASE_URL and PORT.
 */
import fastify from 'fastify';
import { createDb } from '../../../src/server/db/database.ts';
import { listCampaigns } from '../../../src/server/db/campaigns.ts';
import { countHeld } from '../../../src/server/db/holds/holds.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';
import { findUsersOfSessions } from '../../../src/server/db/users/sessions.ts';
import { readStatus } from '../../../src/server/db/status/status.ts';
import { silent } from '../../command.ts';

const { DATABASE_URL: url, DATA_DIR: dataDir = '', PORT = '' } = process.env;
const database = await openDatabase({ url, dataDir, log: silent });
const db = createDb(database.pool);
const app = fastify();
const own = async (authorization = '') =>
  (await findUsersOfSessions(db, [authorization.slice('Bearer '.length)], Date.now()))[0];

app.get('/api/me', ({ headers }) => own(headers.authorization));
app.get('/api/status', () => readStatus(db));
app.get('/api/user/status', async ({ headers }) => {
  const session = await own(headers.authorization);
  return { session, status: await readStatus(db), held: await countHeld(db, session?.user.id ?? '') };
});
app.get<{ Params: { id: string } }>('/api/campaigns/:id', async ({ headers, params }) => {
  const session = await own(headers.authorization);
  return { campaigns: await listCampaigns(db, session?.user.id ?? '', params.id) };
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
