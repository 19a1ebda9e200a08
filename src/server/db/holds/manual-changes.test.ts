import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { addManualChanges, endManualChanges, findManualChanges } from './manual-changes.ts';

const db = useFreshDb();

test('a second click of the same button joins an open change; the other button and another user are refused', async () => {
  const users = [await plantUser(db()), await plantUser(db())];
  const click = async (status: 'ACTIVE' | 'PAUSED', userId = users[0] ?? '') => {
    const campaigns = [{ id: '1', accountId: 'act_1' }];
    return (await addManualChanges(db(), { userId, status, campaigns }, 0)).get('1') ?? null;
  };
  const id = (await click('PAUSED')) ?? '';
  expect(await click('PAUSED')).toBe(id);
  expect([await click('ACTIVE'), await click('PAUSED', users[1])]).toEqual([null, null]);
  expect(await findManualChanges(db(), ['act_1'])).toMatchObject([{ id, status: 'PAUSED' }]);
  await endManualChanges(db(), [{ id, failure: null, refusal: null }], 0);
  expect(await click('ACTIVE')).not.toBeNull();
});
