import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { isRefusal } from '../../../lib/api-client.ts';
import { usePauseOrResume, useSetSmartPause } from '../api.ts';
import { sayFailure } from '../../../lib/notify.ts';
import { askBeforeClose } from '../ask-before-close.ts';
import type { AllowedActions } from '../bulk/actions.ts';
import { isAllowed } from '../bulk/actions.ts';
import { leaveFocusToList } from '../leave-focus.ts';

export type ManualAct = 'pause' | 'resume';

export interface RowTarget {
  account: AdAccount;
  campaign: Campaign;
  allowed: AllowedActions;
}

/** Promises, because the row may unmount before the response, and a failure must still be reported. */
export function useRowActions({ account, campaign, allowed }: RowTarget) {
  const toggle = useSetSmartPause(account.id, campaign.id);
  const manual = usePauseOrResume(account.id, campaign.id);
  // Shows the requested value at once; after a failure the actual value shows again.
  const [asked, setAsked] = useState<boolean | null>(null);
  // The Undo of an earlier action is out of date after the next one.
  const noticeId = `campaign ${campaign.id}`;

  const act = async (what: ManualAct, mayUndo = true): Promise<void> => {
    notifications.hide(noticeId);
    try {
      // Until Meta confirms, the row says so, and there is nothing to undo.
      if ((await manual.mutateAsync(what)).pending === true) return;
    } catch (error) {
      const isActive = isRefusal(error, 'SMARTPAUSE_ACTIVE');
      sayFailure(isActive ? 'SmartPause is active' : `Failed to ${what} campaign`, error);
      return;
    }
    const opposite = what === 'pause' ? 'resume' : 'pause';
    const undo = mayUndo && isAllowed(allowed, opposite) ? () => void act(opposite, false) : null;
    showActed({ id: noticeId, what, name: campaign.name, undo });
  };

  /** @param resume once SmartPause is off */
  const turn = async (enabled: boolean, resume: boolean): Promise<void> => {
    setAsked(enabled);
    notifications.hide(noticeId);
    try {
      await toggle.mutateAsync(enabled);
    } catch (error) {
      sayFailure('Failed to toggle SmartPause', error);
      return;
    } finally {
      setAsked(null);
    }
    if (resume) await act('resume');
  };

  return {
    asked,
    turn: (enabled: boolean, resume: boolean) =>
      void (resume ? askBeforeClose(turn(enabled, resume)) : turn(enabled, resume)),
    act: (what: ManualAct) => void act(what),
    /** The manual action in progress. */
    acting: manual.isPending ? manual.variables : null,
  };
}

interface Acted {
  id: string;
  what: ManualAct;
  name: string;
  undo: (() => void) | null;
}

function showActed({ id, what, name, undo }: Acted): void {
  notifications.show({
    id,
    color: 'green',
    title: what === 'pause' ? 'Campaign paused' : 'Campaign resumed',
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
            aria-label={`Undo: ${what} ${name}`}
            onClick={undo}
          >
            Undo
          </Button>
        )}
      </Group>
    ),
  });
}
