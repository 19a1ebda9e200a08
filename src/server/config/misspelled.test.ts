import { expect, test } from 'vitest';
import { misspelledNames } from './misspelled.ts';
import { environment } from './schema.ts';

const misspelled = (given: NodeJS.ProcessEnv) => misspelledNames(given, Object.keys(environment.shape));

test.each([
  ['OPERATION_PORT', 'OPERATIONS_PORT'],
  ['ADMIN_PLATFORM_ID', 'ADMIN_PLATFORM_IDS'],
  ['DATABASE_UR', 'DATABASE_URL'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['STATUS_POLL_SECOND', 'STATUS_POLL_SECONDS'],
])('%s is reported as a misspelled %s', (name, meant) => {
  expect(misspelled({ [name]: '1' })).toEqual([`  ${name}: is unknown; did you mean ${meant}?`]);
});

test('known names and unrelated names are accepted', () => {
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
  expect(misspelled(given)).toEqual([]);
});

test('a name that resembles a given setting is accepted', () => {
  expect(misspelled({ DATABASE_URLS: '1', DATABASE_URL: '1' })).toEqual([]);
});
