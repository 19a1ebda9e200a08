import { expect, test } from 'vitest';
import { misspelt } from './misspelt.ts';

test.each([
  ['OPERATION_PORT', 'OPERATIONS_PORT'],
  ['ADMIN_PLATFORM_ID', 'ADMIN_PLATFORM_IDS'],
  ['DATABASE_UR', 'DATABASE_URL'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['STATUS_POLL_SECOND', 'STATUS_POLL_SECONDS'],
])('%s was meant to be %s', (name, meant) => {
  expect(misspelt({ [name]: '1' })).toEqual([`  ${name}: is not known; ${meant}?`]);
});

test('what is known, or is of somebody else, is left alone', () => {
  const others = [
    'HOME',
    'PATH',
    'HOSTNAME',
    'LOGNAME',
    'NODE_OPTIONS',
    'SHELL',
    'LANG',
    'TERM',
    'PWD',
    'HTTP_URL',
    'AMQP_URL',
    'FTP_URL',
  ];
  const given = Object.fromEntries(
    [...others, 'DATABASE_URL', 'DATA_DIR', 'PORT'].map((name) => [name, '1']),
  );
  expect(misspelt(given)).toEqual([]);
});

test('what resembles a setting that is given is of somebody else', () => {
  expect(misspelt({ DATABASE_URLS: '1', DATABASE_URL: '1' })).toEqual([]);
});
