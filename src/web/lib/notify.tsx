import { Box, Text } from '@mantine/core';
import type { NotificationData } from '@mantine/notifications';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { figure } from '#core/labels.ts';
import { CallError, errorMessage } from './api-client.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** @returns hides the notice */
export function notifyDone(title: string, message: ReactNode): () => void {
  const id = notifications.show({ color: 'green', title, message, closeButtonProps });
  return () => void notifications.hide(id);
}

/** Tells the user that an action failed, with the server's message where it sent one. */
export function notifyFailure(
  title: string,
  error: unknown,
  fallback = 'Please try again in a moment.',
): void {
  if (error instanceof CallError && error.status === 401) return;
  showFailure(crypto.randomUUID(), { title, message: errorMessage(fallback, error) });
}

/** More failures than this are one notice: more would cover the page, or wait where they are not seen. */
const MANY = 5;
const ALL_FAILURES = 'failures';

/** Those that are not dismissed. */
const failures = new Map<string, NotificationData>();
let isGathered = false;

/** Replaces the notice of this id; stays until it is dismissed. */
export function showFailure(id: string, failure: Pick<NotificationData, 'title' | 'message'>): void {
  const isNew = !failures.has(id);
  failures.set(id, {
    ...{ ...failure, id, color: 'red', autoClose: false, loading: false },
    ...{ withCloseButton: true, closeButtonProps, onClose: () => !isGathered && failures.delete(id) },
  });
  if (isNew && failures.size > MANY) isGathered = true;
  if (isGathered) showGathered();
  else showOrUpdate(failures.get(id));
}

/** Hides the notice of this id, or what the notice of all failures says of it. */
export function hideNotice(id: string): void {
  const isPart = isGathered && failures.delete(id);
  if (isPart) showGathered();
  else notifications.hide(id);
}

/** After a logout. */
export function hideAllNotices(): void {
  forgetFailures();
  notifications.clean();
}

function forgetFailures(): void {
  failures.clear();
  isGathered = false;
}

function showGathered(): void {
  const all = [...failures.values()];
  for (const { id = '' } of all) notifications.hide(id);
  if (all.length === 0) {
    notifications.hide(ALL_FAILURES);
    return;
  }
  showOrUpdate({
    ...{ id: ALL_FAILURES, color: 'red', autoClose: false, closeButtonProps, onClose: forgetFailures },
    title: `${figure(all.length)} actions failed`,
    message: (
      <details>
        <summary>Show them</summary>
        <Box
          component="ul"
          m={0}
          p={0}
          mah="30dvh"
          style={{ listStyle: 'none', overflowY: 'auto' }}
          tabIndex={0}
        >
          {all.map(({ id, title, message }) => (
            <Box key={id} component="li" pt="xs">
              <Text inherit fw={600}>
                {title}
              </Text>
              {message}
            </Box>
          ))}
        </Box>
      </details>
    ),
  });
}

/** A notice that is shown already is not shown again. */
function showOrUpdate(notice: NotificationData | undefined): void {
  if (notice === undefined) return;
  notifications.show(notice);
  notifications.update(notice);
}
