import { buildWeb } from '../../scripts/build.ts';
import { startPostgres } from '../../test/support/postgres.ts';

/** One PostgreSQL for all workers, and the web app, built once. @returns the teardown */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWeb();
  const postgres = await startPostgres();
  process.env['E2E_POSTGRES_URL'] = postgres.url;
  return () => postgres.stop();
}
