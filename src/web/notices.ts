import { notifications } from '@mantine/notifications';
import { CallError, reasonOr } from './api/call.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Tells the person that an action is done. */
export function sayDone(title: string, message: string): void {
  notifications.show({ color: 'green', title, message, closeButtonProps });
}

/** Tells the person that an action failed, with the server's own sentence where it gave one. */
export function sayFailure(title: string, error: unknown): void {
  if (error instanceof CallError && error.status === 401) return;
  const message = reasonOr('Please try again in a moment.', error);
  notifications.show({ color: 'red', title, message, closeButtonProps });
}
