import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { HISTORY_DAYS } from '#core/periods.ts';
import { days } from '#core/time.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import { dropOldRows } from '../retention.ts';
import { findLastStatusFiles, noteStatusFiles } from './status-files.ts';

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
    expect(
      (await db().selectFrom('statusFiles').select('body').executeTakeFirstOrThrow()).body.toString(),
    ).not.toContain('ads-manager');
    expect(await findLastStatusFiles(db())).toMatchObject([quiet, { path: OUTAGES, body: '[]' }]);
  });

  test('drops files that were not read since the given time', async () => {
    await dropOldRows(db(), NOW + 15_000 + days(HISTORY_DAYS), ['statusFiles']);
    expect(await rows()).toHaveLength(1);
    await dropOldRows(db(), NOW + days(HISTORY_DAYS + 1), ['statusFiles']);
    expect(await rows()).toEqual([]);
  });
});
