import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, test, vi } from 'vitest';
import { seconds } from '#core/time.ts';

afterEach(() => {
  notifications.clean();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shown = () => notificationsStore.getState().notifications.map(({ title }) => title);

test('[UX-14] a page offers to reload once another build has answered for a minute, once, and not while something is unsaved', async () => {
  vi.resetModules();
  const { compareBuild } = await import('./build.tsx');
  const page = Object.assign(new EventTarget(), { isUnsaved: true });
  page.addEventListener('beforeunload', (event) => page.isUnsaved && event.preventDefault());
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', { querySelector: () => ({ content: 'mine' }) });
  vi.useFakeTimers();
  const answers = (build: string | null, afterMs: number) => {
    vi.advanceTimersByTime(afterMs);
    compareBuild(new Response(null, build === null ? {} : { headers: { 'smartpause-build': build } }));
    return shown();
  };
  expect(answers('next', 0)).toEqual([]);
  expect(answers(null, seconds(30))).toEqual([]);
  // During a release.
  expect(answers('mine', seconds(29))).toEqual([]);
  expect(answers('next', seconds(1))).toEqual([]);
  expect(answers('next', seconds(60))).toEqual([]);
  page.isUnsaved = false;
  expect(answers('next', seconds(60))).toEqual(['A new version is available']);
  notifications.clean();
  expect(answers('next', seconds(60))).toEqual([]);
});
