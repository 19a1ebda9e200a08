import { buildWeb } from '../../scripts/build.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';

/** One PostgreSQL for all workers, and the web app, built once. @returns the teardown */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWeb();
  const postgres = await OwnPostgres.start();
  process.env['E2E_POSTGRES_URL'] = postgres.url;
  return () => postgres[Symbol.asyncDispose]();
}
