import { notifications } from '@mantine/notifications';
import { CallError } from './call.ts';

/** Tells the person that an action failed, with the server's own sentence where it gave one. */
export function sayFailure(title: string, error: Error): void {
  if (error instanceof CallError && error.status === 401) return;
  const reason = error instanceof CallError ? error.reason : null;
  notifications.show({
    color: 'red',
    title,
    message: reason ?? 'Please try again in a moment.',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}
