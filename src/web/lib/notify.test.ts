import { notificationsStore } from '@mantine/notifications';
import { afterEach, expect, test } from 'vitest';
import { hideAllNotices, hideNotice, notifyDone, showFailure } from './notify.tsx';

afterEach(hideAllNotices);

const shown = () => notificationsStore.getState().notifications.map(({ title }) => title);
const fail = (count: number) => {
  for (let i = 1; i <= count; i += 1) showFailure(`campaign ${i}`, { title: `Failed ${i}`, message: '' });
};

test('[UX-16] more than five failures are one notice that counts them, until it is dismissed', () => {
  fail(5);
  expect(shown()).toHaveLength(5);
  fail(6);
  notifyDone('Done', '');
  expect(shown()).toEqual(['6 actions failed', 'Done']);
  // The user tries one of them again, and it fails again.
  hideNotice('campaign 2');
  expect(shown()).toEqual(['5 actions failed', 'Done']);
  fail(7);
  expect(shown()).toEqual(['7 actions failed', 'Done']);
  const [gathered] = notificationsStore.getState().notifications;
  hideNotice(gathered?.id ?? '');
  fail(1);
  expect(shown()).toEqual(['Done', 'Failed 1']);
});
