import { expect, test } from 'vitest';
import { createGraphClient, parseJson } from './client.ts';

const CONFIG = { graphUrl: 'http://graph.test/', apiVersion: 'v1', appId: '1', appSecret: 's' };
const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (ms: number): string => new Date(ms).toUTCString();

test.each([
  ['an hour ahead', { date: at(NOW + 3_600_000) }, 3_600_000],
  ['from another year', { date: at(NOW + 400 * 86_400_000) }, 0],
  ['unreadable', { date: 'yesterday' }, 0],
  ['absent', {}, 0],
])('Meta’s clock, by a date that is %s', async (_what, headers, aheadMs) => {
  const send = () => Promise.resolve({ ok: true as const, status: 200, headers, body: '{}' });
  const graph = createGraphClient(CONFIG, { send, close: () => Promise.resolve() }, () => NOW);
  await graph.call({ method: 'GET', path: 'me' });
  expect(graph.aheadMs()).toBe(aheadMs);
});

test.each([
  [String.raw`"Sale\u0000 now"`, 'Sale now'],
  [String.raw`"\\\u0000"`, '\\'],
  [String.raw`"\\u0000"`, String.raw`\u0000`],
  ['not JSON', undefined],
])('Meta’s text %s is read without characters 0, which PostgreSQL refuses', (text, value) => {
  expect(parseJson(text)).toBe(value);
});
