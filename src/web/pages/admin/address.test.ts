import { expect, test } from 'vitest';
import { adminSearch, readAdminAddress } from './address.ts';

const read = (words: string) => readAdminAddress(new URLSearchParams(words));

test('an address that names nothing is the overview', () => {
  expect(read('')).toEqual({ view: 'overview', person: '', campaign: '' });
});

test.each([
  [
    'view=held&person=maya&state=in_doubt&order=oldest&after=120',
    { view: 'held', person: 'maya', state: 'in_doubt', order: 'oldest', after: '120' },
  ],
  ['view=stuck&part=mail_given_up&after=act_12', { view: 'stuck', part: 'mail_given_up', after: 'act_12' }],
  [
    'view=moon&state=ended&order=up&part=database&after=x',
    { view: 'overview', state: undefined, order: undefined, part: undefined, after: undefined },
  ],
  [`view=held&campaign=${'x'.repeat(101)}`, { view: 'held', campaign: '' }],
])('%s', (words, expected) => {
  expect(read(words)).toMatchObject(expected);
});

test('what is written is read again, and what is as usual is not written', () => {
  expect(adminSearch({ view: 'overview', person: '', state: undefined })).toBe('');
  const wanted = { view: 'held', person: 'Åsa & Co', campaign: '', state: 'paused' } as const;
  expect(read(adminSearch(wanted))).toMatchObject(wanted);
});
