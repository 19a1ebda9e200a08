import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropToken, saveToken } from '../../../api/token.ts';
import { TOKEN_KEY } from '../../../browser/storage-keys.ts';
import { campaignCalls } from './campaign-calls.ts';
import { runBulk } from './run.ts';
import { guardSession } from './session-guard.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }));
  saveToken('of Nora');
});
afterEach(() => vi.unstubAllGlobals());

function isAskedBeforeUnload(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

test('[SET-10] asks before the page closes, until the run ends', () => {
  const onChange = vi.fn();
  const session = guardSession(onChange);
  expect(isAskedBeforeUnload()).toBe(true);
  session.check();
  session.release();
  expect(isAskedBeforeUnload()).toBe(false);
  dropToken();
  expect([onChange.mock.calls.length, session.signal.aborted]).toEqual([0, false]);
});

test('a logout ends the run, and the page may close', () => {
  const onChange = vi.fn();
  const session = guardSession(onChange);
  dropToken();
  expect([onChange.mock.calls.length, session.signal.aborted, isAskedBeforeUnload()]).toEqual([
    1,
    true,
    false,
  ]);
});

test('no call is sent after another user has logged in in another tab', async () => {
  const onChange = vi.fn();
  const session = guardSession(onChange);
  const { resume } = campaignCalls(session);
  const fetched = vi.fn(() => {
    // Another tab writes the token before this one receives an event.
    stored.set(TOKEN_KEY, 'of Daniel');
    return Promise.resolve(Response.json({ status: 'ACTIVE' }));
  });
  vi.stubGlobal('fetch', fetched);
  const done: string[] = [];
  await runBulk({
    targets: ['Hats', 'Shoes', 'Coats'],
    signal: session.signal,
    concurrency: 1,
    send: async (id) => {
      await resume(id);
      done.push(id);
    },
    onProgress: () => undefined,
  });
  expect([done, fetched.mock.calls.length, onChange.mock.calls.length]).toEqual([['Hats'], 1, 1]);
});
