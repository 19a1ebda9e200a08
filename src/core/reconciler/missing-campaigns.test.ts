import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECOND_LOOK_MS, idsToReadById, lookForAnswers } from './missing-campaigns.ts';

const given = { listed: new Set<string>(), on: [] as string[], owed: [] as string[], ended: new Map() };
const between = (ms: number) => ({ firstAt: 1000, lastAt: 1000 + ms });

test.each([
  ['nothing, if the list has all', { listed: new Set(['1', '2']), on: ['1'], owed: ['2'] }, []],
  ['what has SmartPause on', { listed: new Set(['1']), on: ['1', '2'] }, ['2']],
  ['what has a hold or a write', { listed: new Set(['1']), owed: ['2'] }, ['2']],
  ['one id once', { on: ['1', '1'], owed: ['1'] }, ['1']],
  ['what one read found deleted', { on: ['1'], ended: new Map([['1', between(0)]]) }, ['1']],
  ['… and another 9.999 s later', { on: ['1'], ended: new Map([['1', between(SECOND_LOOK_MS - 1)]]) }, ['1']],
  [
    'not what another 10 s later found deleted',
    { on: ['1'], ended: new Map([['1', between(SECOND_LOOK_MS)]]) },
    [],
  ],
  [
    '… unless it has a hold',
    { on: ['1'], owed: ['1'], ended: new Map([['1', between(SECOND_LOOK_MS)]]) },
    ['1'],
  ],
])('[FR-25, ENG-20] by id is read: %s', (_title, more, expected) => {
  expect(idsToReadById({ ...given, ...more })).toEqual(expected);
});

test.each([
  ['all had an answer', [], null],
  ['one had none now', [1000], 11_000],
  ['one had none 9.999 s before', [1000 - 9999], 1001],
  ['one had none 10 s before', [1000 - 10_000], null],
  ['… and another one now', [1000 - 10_000, 1000], 11_000],
])('[FR-25] reads by id without an answer are repeated: %s', (_title, since, expected) => {
  const unanswered = new Map(since.map((at, index) => [String(index), at]));
  expect(lookForAnswers(unanswered, 1000)).toBe(expected);
});

test('[FR-25] list and reads by id show everything that is on or owed', () => {
  const ids = fc.uniqueArray(fc.constantFrom<string[]>('1', '2', '3', '4', '5'));
  fc.assert(
    fc.property(ids, ids, ids, (listed, on, owed) => {
      const read = idsToReadById({ ...given, listed: new Set(listed), on, owed });
      expect(new Set([...listed, ...read])).toEqual(new Set([...listed, ...on, ...owed]));
      expect(read.filter((id) => listed.includes(id))).toEqual([]);
    }),
  );
});
