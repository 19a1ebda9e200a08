import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { figure } from '#core/labels.ts';
import { CallError, hasCode } from '../../../lib/api-client.ts';
import { leaveFocusToList } from '../../../lib/focus-list.ts';
import { sayFailure } from '../../../lib/notify.ts';
import { bulkChangeKey } from '../../../lib/queries.ts';
import { changeInList, readListsAgain, sendChange } from '../api.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, isManual } from './actions.ts';
import { failureCopy, outcomeTitle, progressTitle, runInChunks } from './run.ts';

/**
 * A row's change in progress, and how to start one. The row shows its result at once, and its actual state after
 * a failure. The row may be gone before the response, so what follows belongs to the mutation.
 */
export function useRowChange(target: Target, allowed: readonly Action[]) {
  const client = useQueryClient();
  const { id, name } = target.campaign;
  // The Undo of an earlier action is out of date after the next one.
  const noticeId = `campaign ${id}`;
  // The switch must turn at once: the state of the mutation comes later.
  const [current, setCurrent] = useState<Action | null>(null);
  const start = (action: Action, isUndo = false) => {
    setCurrent(action);
    mutate({ action, isUndo });
  };
  const { mutate } = useMutation({
    mutationFn: ({ action }: { action: Action; isUndo: boolean }) => sendChange(action, target),
    onMutate: () => void notifications.hide(noticeId),
    onSuccess: async (change, { action, isUndo }) => {
      await changeInList(client, target, change);
      readListsAgain(client);
      // Until Meta confirms, the row says so, and there is nothing to undo.
      if (!isManual(action) || change.pendingStatus !== undefined) return;
      const press = () => start(OPPOSITE[action], true);
      const undo = { text: 'Undo', label: `Undo: ${action} ${name}`, press };
      const buttons = !isUndo && allowed.includes(OPPOSITE[action]) ? [undo] : [];
      notifications.show({ id: noticeId, ...outcomeNotice(`Campaign ${action}d`, name, buttons) });
    },
    onError: (error, { action }) => {
      if (!isManual(action)) sayFailure('Failed to toggle SmartPause', error);
      else if (hasCode(error, 'SMARTPAUSE_ACTIVE')) sayFailure('SmartPause is active', error);
      else sayFailure(`Failed to ${action} campaign`, error);
    },
    onSettled: () => setCurrent(null),
  });
  return { current, start };
}

interface BulkChange {
  action: Action;
  targets: readonly Target[];
  /** The user may do the opposite of a manual action. */
  mayUndo?: boolean;
}

/** Changes many campaigns, one change after another, and tells the progress in one notice on every page. */
export function useBulkChange(): (change: BulkChange) => void {
  const client = useQueryClient();
  const start = (change: BulkChange): void => {
    const id = notifications.show(progressNotice(change, 'Waiting…'));
    mutate({ id, ...change });
  };
  const { mutate } = useMutation({
    mutationKey: bulkChangeKey,
    scope: { id: bulkChangeKey[0] },
    mutationFn: ({ id, ...change }: BulkChange & { id: string }) => {
      const { action, targets } = change;
      const onProgress = (count: number) => {
        const progress = `${figure(count)} of ${figure(targets.length)}`;
        notifications.update({ id, ...progressNotice(change, progress) });
      };
      onProgress(0);
      // Meta takes one change of an ad account at a time.
      const size = isManual(action) || targets.some(({ resumes }) => resumes) ? 1 : 6;
      return runInChunks(targets, (target) => sendAll(action, target), { size, onProgress });
    },
    onSuccess: ({ done, failed, left }, { id, action, mayUndo = false }) => {
      readListsAgain(client);
      const follow = (text: string, next: BulkChange): NoticeButton => ({
        text,
        press: () => {
          notifications.hide(id);
          start(next);
        },
      });
      const rest = [...failed.map(({ target }) => target), ...left];
      const buttons: NoticeButton[] = [];
      if (rest.length > 0)
        buttons.push(follow(`Try again (${figure(rest.length)})`, { action, mayUndo, targets: rest }));
      if (mayUndo && isManual(action) && done.length > 0)
        buttons.push(follow('Undo', { action: OPPOSITE[action], targets: done }));
      const outcome = { done, failed, left };
      const notice = outcomeNotice(outcomeTitle(action, outcome), failureCopy(outcome), buttons);
      notifications.update({ id, ...notice, ...(rest.length > 0 && { color: 'red', autoClose: false }) });
    },
  });
  return start;
}

async function sendAll(action: Action, target: Target): Promise<void> {
  let { pendingStatus } = await sendChange(action, target);
  if (target.resumes === true) ({ pendingStatus } = await sendChange('resume', target));
  if (pendingStatus !== undefined)
    throw new CallError('pending', { status: 504, reason: 'Meta hasn’t confirmed it yet.' });
}

function progressNotice({ action, targets }: BulkChange, progress: string) {
  // Screen readers announce the start and the outcome.
  const message = (
    <Text inherit aria-hidden="true" className="figures">
      {progress}
    </Text>
  );
  const title = progressTitle(action, targets);
  return { title, message, loading: true, autoClose: false, withCloseButton: false } as const;
}

interface NoticeButton {
  text: string;
  label?: string;
  press: () => void;
}

function outcomeNotice(title: string, text: string, buttons: readonly NoticeButton[]) {
  const message = (
    <Group justify="space-between" gap="4px xs">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {buttons.map(({ text: word, label, press }) => (
        <Button
          key={word}
          ref={leaveFocusToList}
          size="xs"
          variant="default"
          aria-label={label}
          onClick={press}
        >
          {word}
        </Button>
      ))}
    </Group>
  );
  const behaviour = { loading: false, autoClose: true, withCloseButton: true };
  return { title, message, color: 'green', ...behaviour, closeButtonProps: { 'aria-label': 'Dismiss' } };
}
