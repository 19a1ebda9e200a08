import { afterEach, expect, test, vi } from 'vitest';
import { TOKEN_KEY } from './storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  // Tests of other files would get the session of the last one.
  vi.resetModules();
});

/** A page that was opened with this token in the browser's storage; undefined: the browser stores nothing. */
async function openPage(token: string | null | undefined) {
  const stored = new Map<string, string | null>([[TOKEN_KEY, token ?? null]]);
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void (token !== undefined && stored.set(key, value)),
    removeItem: (key: string) => void stored.delete(key),
  };
  const reload = vi.fn();
  const page = Object.assign(new EventTarget(), {
    localStorage,
    location: { href: 'https://smartpause.example/', hash: '', search: '', reload },
  });
  vi.stubGlobal('window', page);
  vi.resetModules();
  const session = await import('./session.ts');
  session.startSession();
  /** The user comes back to the page. */
  const comesBack = (persisted: boolean, to: string | null = null) => {
    if (token !== undefined) stored.set(TOKEN_KEY, to);
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    return {
      shown: session.shownToken(),
      sent: session.readToken(),
      isReloaded: reload.mock.calls.length > 0,
    };
  };
  return { session, comesBack };
}

test.each([
  ['the same session', 'nora', 'nora', true, { shown: 'nora', sent: 'nora', isReloaded: false }],
  ['another user', 'nora', 'ada', true, { shown: 'nora', sent: null, isReloaded: true }],
  ['a logout', 'nora', null, true, { shown: null, sent: null, isReloaded: false }],
  ['a first login', null, 'ada', true, { shown: 'ada', sent: 'ada', isReloaded: false }],
  ['a page that is loaded again', 'nora', 'ada', false, { shown: 'nora', sent: 'nora', isReloaded: false }],
])(
  '[FR-42] Back shows a page of before, and finds %s',
  async (_title, before, after, persisted, expected) => {
    const { comesBack } = await openPage(before);
    expect(comesBack(persisted, after)).toEqual(expected);
  },
);

test('[FR-42] Back after the session was left shows none of its pages', async () => {
  const { session, comesBack } = await openPage('nora');
  Object.assign(window.location, { assign: () => undefined });
  session.leaveSession('/');
  expect(session.shownToken()).toBe('nora');
  expect(comesBack(true)).toEqual({ shown: null, sent: null, isReloaded: false });
});

test('[FR-42] a session that the browser cannot store stays', async () => {
  const { session, comesBack } = await openPage(undefined);
  session.saveToken('nora');
  expect(comesBack(true)).toEqual({ shown: 'nora', sent: 'nora', isReloaded: false });
});

test('[FR-42] a page that another login replaces stays left when the call that ended its session fails', async () => {
  const { session, comesBack } = await openPage('nora');
  const ending = session.endSession(Promise.reject(new Error('aborted')));
  comesBack(true, 'ada');
  await expect(ending).rejects.toThrow('aborted');
  expect(session.readToken()).toBeNull();
});
