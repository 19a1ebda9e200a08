import { expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { findDeletionRequest, finishDeletionRequests, noteDeletionRequest } from './deletion-requests.ts';

const db = useFreshDb();
const fingerprints = [new Uint8Array(32)] as const;

test('a request after a superseded one stands alone; a second one joins it, and both end with the deletion', async () => {
  const note = (code: string, outcome: 'superseded' | null) =>
    noteDeletionRequest(db(), { code, fingerprints, outcome }, 1);
  expect(await note('OLD', 'superseded')).toBe('OLD');
  expect(await note('NEW', null)).toBe('NEW');
  expect(await note('SECOND', null)).toBe('NEW');
  expect(await note('OLD', null)).toBe('OLD');
  expect(await finishDeletionRequests(db(), fingerprints, 2)).toBe('NEW');
  expect(await findDeletionRequest(db(), 'OLD')).toMatchObject({ isSuperseded: true, finishedAt: null });
  expect(await findDeletionRequest(db(), 'NEW')).toMatchObject({ isSuperseded: false, finishedAt: 2 });
});
