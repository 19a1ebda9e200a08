import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropUnfinishedSetup, keepUnfinishedSetup, readUnfinishedSetup } from './unfinished-setup.ts';

const DRAFT = {
  email: 'nora@lin',
  outageThreshold: 'LOW',
  onForNewCampaigns: true,
  resumeSettings: { mode: 'delay', delay: { value: 7, unit: 'hours' } },
} as const;

const there = new Map<string, string>();

beforeEach(() => {
  there.clear();
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => there.get(key) ?? null,
      setItem: (key: string, value: string) => there.set(key, value),
      removeItem: (key: string) => there.delete(key),
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('[UX-09] an unfinished setup is kept for its user until it is dropped', () => {
  expect(readUnfinishedSetup('Nora')).toBeNull();
  keepUnfinishedSetup('Nora', DRAFT);
  expect(readUnfinishedSetup('Nora')).toEqual(DRAFT);
  expect(readUnfinishedSetup('Ben')).toBeNull();
  dropUnfinishedSetup();
  expect(readUnfinishedSetup('Nora')).toBeNull();
});

test.each(['', '{', '{}', '{"user":"Nora","draft":{"email":"a","outageThreshold":"HUGE"}}'])(
  '[UX-09] an unreadable setup counts as none: %s',
  (text) => {
    keepUnfinishedSetup('Nora', DRAFT);
    for (const key of there.keys()) there.set(key, text);
    expect(readUnfinishedSetup('Nora')).toBeNull();
  },
);
