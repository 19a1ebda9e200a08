import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../../lib/api-client.ts';
import { leaveFocusToList } from '../../../lib/focus-list.ts';
import { sayFailure } from '../../../lib/notify.ts';
import { readListsAgain, sendChange, writeIntoLists } from '../api.ts';
import type { Action, AllowedActions, Target } from '../bulk/actions.ts';
import { OPPOSITE, isAllowed, isManual } from '../bulk/actions.ts';

interface Change {
  action: Action;
  isUndo: boolean;
}

/**
 * The change in progress, and how to start one. The row shows its result at once, and its actual state after a
 * failure. The row may be gone before the response, so what follows belongs to the mutation.
 */
export function useRowActions(target: Target, allowed: AllowedActions) {
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
    mutationFn: ({ action }: Change) => sendChange(action, target),
    onMutate: () => void notifications.hide(noticeId),
    onSuccess: async (change, { action, isUndo }) => {
      await writeIntoLists(client, new Map([[target, change]]));
      readListsAgain(client);
      // Until Meta confirms, the row says so, and there is nothing to undo.
      if (!isManual(action) || change.pendingStatus !== undefined) return;
      const mayUndo = !isUndo && isAllowed(allowed, OPPOSITE[action]);
      const undo = () => start(OPPOSITE[action], true);
      showActed(noticeId, action, name, mayUndo ? undo : null);
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

function showActed(id: string, action: 'pause' | 'resume', name: string, undo: (() => void) | null): void {
  notifications.show({
    id,
    color: 'green',
    title: action === 'pause' ? 'Campaign paused' : 'Campaign resumed',
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {undo !== null && (
          <Button
            ref={leaveFocusToList}
            size="xs"
            variant="default"
            style={{ flex: 'none' }}
            aria-label={`Undo: ${action} ${name}`}
            onClick={undo}
          >
            Undo
          </Button>
        )}
      </Group>
    ),
  });
}
