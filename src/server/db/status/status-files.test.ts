import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { days } from '#core/time.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import { dropOldStatusFiles, findLastStatusFiles, noteStatusFiles } from './status-files.ts';

const NOW = Date.parse('2026-01-08T12:00:00Z');
const ORGS = '/data/orgs.json';
const OUTAGES = '/data/outages/ads-manager.json';

describe('files of the status page', () => {
  const db = useFreshDb();
  const rows = async () =>
    (
      await sql<object>`select path, (extract(epoch from first_at) * 1000)::float8 - ${NOW} as first,
        (extract(epoch from last_at) * 1000)::float8 - ${NOW} as last from status_files order by id`.execute(
        db(),
      )
    ).rows;

  test('keeps each distinct file once, with the first and the last time it was read', async () => {
    const quiet = { path: ORGS, body: '[{"id":"ads-manager","name":"Größe"}]' };
    const outage = { path: ORGS, body: '[{"id":"ads-manager","services":[]}]' };
    await noteStatusFiles(db(), [quiet, { path: OUTAGES, body: '[]' }], NOW);
    await noteStatusFiles(db(), [outage, { path: OUTAGES, body: '[]' }], NOW + 10_000);
    await noteStatusFiles(db(), [], NOW + 15_000);
    expect(await findLastStatusFiles(db())).toEqual([outage, { path: OUTAGES, body: '[]' }]);
    await noteStatusFiles(db(), [quiet], NOW + 20_000);
    expect(await rows()).toEqual([
      { path: ORGS, first: 0, last: 20_000 },
      { path: OUTAGES, first: 0, last: 10_000 },
      { path: ORGS, first: 10_000, last: 10_000 },
    ]);
    expect(await findLastStatusFiles(db())).toMatchObject([quiet, { path: OUTAGES, body: '[]' }]);
  });

  test('the same content of two paths is two files', async () => {
    await noteStatusFiles(db(), [{ path: '/data/outages/graph-api.json', body: '[]' }], NOW + 30_000);
    expect(await rows()).toHaveLength(4);
  });

  test('stores text compressed', async () => {
    const body = JSON.stringify(Array.from({ length: 500 }, () => ({ status: 'No known issues' })));
    await noteStatusFiles(db(), [{ path: ORGS, body }], NOW + 40_000);
    const { rows: sizes } = await sql<{ size: number }>`
      select length(body) as size from status_files order by id desc limit 1`.execute(db());
    expect(sizes[0]?.size).toBeLessThan(body.length / 20);
    expect((await findLastStatusFiles(db()))[0]?.body).toBe(body);
  });

  test('drops files that were not read since the given time', async () => {
    await dropOldStatusFiles(db(), NOW + 25_000);
    expect(await rows()).toHaveLength(2);
    await dropOldStatusFiles(db(), NOW + days(1));
    expect(await rows()).toEqual([]);
  });
});
