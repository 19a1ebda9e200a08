import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { CallError, errorMessage } from './api-client.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** @returns hides the notice */
export function sayDone(title: string, message: ReactNode): () => void {
  const id = notifications.show({ color: 'green', title, message, closeButtonProps });
  return () => void notifications.hide(id);
}

/** Tells the user that an action failed, with the server's message where it sent one. */
export function sayFailure(title: string, error: unknown, fallback = 'Please try again in a moment.'): void {
  if (error instanceof CallError && error.status === 401) return;
  const message = errorMessage(fallback, error);
  notifications.show({ color: 'red', title, message, closeButtonProps });
}
