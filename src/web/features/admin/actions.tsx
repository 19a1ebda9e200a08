import { Alert } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import type { AdminAction } from '#contract/admin-overview.ts';
import { GRANT_YEARS } from '#core/billing/subscription.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { BusyButtonProps } from '../../components/busy-button.tsx';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { keys } from '../../lib/queries.ts';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { adminStatsQuery, adminStatusQuery, useAdminAction } from './api.ts';

interface ActionCopy {
  label: string;
  question: string;
  consequence: string;
  done: string;
  /** It concerns every campaign with SmartPause on. */
  isForAll?: boolean;
}

const FORCED =
  'SmartPause pauses the campaigns of users whose threshold this meets and resumes those of all others.';

const force = (name: string, level: KnownLevel, effect = FORCED): ActionCopy => ({
  label: `Force ${name}`,
  question: `Force the status to ${LEVEL_WORDS[level]}?`,
  consequence: `Applies to all users, whatever Meta reports. ${effect}`,
  done: `The status is ${LEVEL_WORDS[level]} for all users until you clear the override.`,
  isForAll: true,
});

export const ACTIONS: Record<AdminAction, ActionCopy> = {
  'force-up': force('Up', 'UP', 'SmartPause pauses nothing and resumes all campaigns it paused.'),
  'force-low': force('Low', 'LOW_DISRUPTION'),
  'force-medium': force('Medium', 'MEDIUM_DISRUPTION'),
  'force-high': force('High', 'HIGH_DISRUPTION'),
  clear: {
    label: 'Clear',
    question: 'Clear the override?',
    consequence:
      'Meta’s reported status applies to all users again. SmartPause pauses or resumes accordingly.',
    done: 'The override is cleared. Meta’s reported status applies again.',
    isForAll: true,
  },
  'grant-subscription': {
    label: `Grant ${GRANT_YEARS}-year subscription`,
    question: `Grant yourself a ${GRANT_YEARS}-year subscription?`,
    consequence: `Your account gets a free yearly subscription for ${GRANT_YEARS} years.`,
    done: `You now have a ${GRANT_YEARS}-year subscription.`,
  },
  'clear-stripe-data': {
    label: 'Clear subscription data',
    question: 'Clear your subscription data?',
    consequence:
      'Your subscription ends immediately, and your Stripe customer is deleted. This can’t be undone. Campaigns paused by SmartPause are still resumed.',
    done: 'Your subscription data is cleared.',
  },
};

interface ActionButtonProps extends Omit<BusyButtonProps, 'isBusy' | 'isInert' | 'onClick'> {
  action: AdminAction;
}

/** Asks first where live users may be affected, and until the environment is known. One action at a time. */
export function ActionButton({ action, ...rest }: ActionButtonProps) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const { mutate, isPending } = useAdminAction();
  const isInert = useIsMutating({ mutationKey: keys.allAdmin }) > 0;
  const { label, question, consequence, done, isForAll } = ACTIONS[action];
  const stats = client.getQueryData(adminStatsQuery.queryKey);
  const run = () =>
    mutate(action, {
      onSuccess: () => sayDone('Done', done),
      onError: (error) => sayFailure(`Failed to execute ${action} action`, error),
      onSettled: close,
    });
  const start = () => {
    const asksFirst = client.getQueryData(adminStatusQuery.queryKey)?.isProductionLike ?? true;
    if (asksFirst) open();
    else run();
  };
  return (
    <>
      <BusyButton variant="default" isBusy={isPending} isInert={isInert} onClick={start} {...rest}>
        {label}
      </BusyButton>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={question}
        busy={isPending}
        confirm={
          <BusyButton color="red.9" isBusy={isPending} onClick={run}>
            {label}
          </BusyButton>
        }
      >
        <Alert role="note" color="red" title="Production Environment: affects live users">
          {consequence}
          {isForAll && stats && ` SmartPause is on for ${counted(stats.smartPauseCampaigns, 'campaign')}.`}
        </Alert>
      </ConfirmDialog>
    </>
  );
}
