import { notifications, notificationsStore } from '@mantine/notifications';
import { expect, test } from 'vitest';
import { createQueryClient, forgetUser } from './query-client.ts';

test('[HEAD-07] a logout removes every notice, also those that wait for room', () => {
  for (let i = 0; i < 10; i += 1) notifications.show({ message: `Campaign ${i} paused` });
  forgetUser(createQueryClient());
  const { notifications: shown, queue } = notificationsStore.getState();
  expect([...shown, ...queue]).toEqual([]);
});
