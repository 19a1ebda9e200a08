import { Alert, Text, Textarea } from '@mantine/core';
import { useDisclosure, useInputState } from '@mantine/hooks';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminAction, OverrideReach } from '#contract/admin-overview.ts';
import { REASON_MAX } from '#contract/admin-overview.ts';
import { GRANT_YEARS } from '#core/billing/subscription.ts';
import { LEVEL_WORDS, counted } from '#core/labels.ts';
import { asSentence } from '#core/outages/activity-text.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { BusyButtonProps } from '../../components/busy-button.tsx';
import { BusyButton } from '../../components/busy-button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { keys } from '../../lib/queries.ts';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';
import { adminStatsQuery, adminStatusQuery, useAdminAction, useOverrideReach } from './api.ts';

interface ActionCopy {
  label: string;
  question: string;
  consequence: string;
  done: string;
  /** It concerns every campaign with SmartPause on. */
  isForAll?: boolean;
  needsReason?: boolean;
}

const FORCED =
  'SmartPause pauses the campaigns of users whose threshold this meets and resumes those of all others.';

const force = (name: string, level: KnownLevel, effect = FORCED): ActionCopy => ({
  label: `Force ${name}`,
  question: `Force the status to ${LEVEL_WORDS[level]}?`,
  consequence: `Applies to all users, whatever Meta reports. ${effect}`,
  done: `The status is ${LEVEL_WORDS[level]} for all users until you clear the override.`,
  isForAll: true,
  needsReason: true,
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

/**
 * Asks first where it concerns all users, where live users may be affected, and until the environment is known. One
 * action at a time.
 */
export function ActionButton({ action, ...rest }: ActionButtonProps) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const { mutateAsync, isPending } = useAdminAction();
  const isInert = useIsMutating({ mutationKey: keys.allAdmin }) > 0;
  const { label, done, isForAll } = ACTIONS[action];
  const isProductionLike = client.getQueryData(adminStatusQuery.queryKey)?.isProductionLike ?? true;
  const run = (reason = '') =>
    void mutateAsync({ action, reason })
      // Also after the admin has left this page.
      .then(() => notifyDone('Done', done))
      .catch((error: unknown) => notifyFailure(`Failed to execute ${action} action`, error))
      .finally(close);
  const start = () => {
    if (isForAll === true || isProductionLike) open();
    else run();
  };
  return (
    <>
      <BusyButton variant="default" isBusy={isPending} isInert={isInert} onClick={start} {...rest}>
        {label}
      </BusyButton>
      <Question {...{ action, opened, isPending, isProductionLike, run }} onClose={close} />
    </>
  );
}

interface QuestionProps {
  action: AdminAction;
  opened: boolean;
  isPending: boolean;
  isProductionLike: boolean;
  run: (reason: string) => void;
  onClose: () => void;
}

function Question({ action, opened, isPending, isProductionLike, run, onClose }: QuestionProps) {
  const { label, question, consequence, isForAll = false, ...copy } = ACTIONS[action];
  const reach = useOverrideReach(action, opened && isForAll);
  const isCounting = isForAll && reach.isPending;
  // A number that the server does not count may be large.
  const isHarmful = !isForAll || reach.data == null || reach.data.pauses + reach.data.resumes > 0;
  // A server without the count knows no reason either.
  const needsReason = copy.needsReason === true && !isCounting && reach.data !== null;
  const [reason, setReason] = useInputState('');
  const [isMissing, setIsMissing] = useState(false);
  const confirm = () => {
    const lacksReason = needsReason && reason.trim() === '';
    setIsMissing(lacksReason);
    if (lacksReason) return;
    run(reason.trim());
    setReason('');
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={question}
      busy={isPending}
      confirm={
        <BusyButton color="red.9" isBusy={isPending} isInert={isPending || isCounting} onClick={confirm}>
          {label}
        </BusyButton>
      }
    >
      {isForAll && <Reach {...reach} />}
      <Alert
        role="note"
        p="sm"
        color={isProductionLike && isHarmful ? 'red' : 'gray'}
        title={isProductionLike && 'Production Environment: affects live users'}
      >
        {consequence}
      </Alert>
      {needsReason && (
        <Textarea
          label="Reason"
          description="Shown on this page and in the activity."
          placeholder="Meta’s page is late: three accounts report failing ads"
          required
          autosize
          maxLength={REASON_MAX}
          value={reason}
          onChange={setReason}
          error={isMissing && 'Say why, for the other admins.'}
        />
      )}
    </ConfirmDialog>
  );
}

/** What it does now, counted by the server. */
function Reach({ data, isPending }: Pick<ReturnType<typeof useOverrideReach>, 'data' | 'isPending'>) {
  const stats = useQueryClient().getQueryData(adminStatsQuery.queryKey);
  const words =
    data != null
      ? reachCopy(data)
      : isPending
        ? 'Counting users and campaigns…'
        : stats && `SmartPause is on for ${counted(stats.smartPauseCampaigns, 'campaign')}.`;
  return (
    <Text fw={600} role="status">
      {words}
    </Text>
  );
}

/** 'Pauses 33 campaigns and resumes 4 campaigns of 12 users now.' */
export function reachCopy({ users, pauses, resumes }: OverrideReach): string {
  const acts = [
    ...(pauses > 0 ? [`pauses ${counted(pauses, 'campaign')}`] : []),
    ...(resumes > 0 ? [`resumes ${counted(resumes, 'campaign')}`] : []),
  ];
  if (acts.length === 0) return 'No campaign is affected right now.';
  return asSentence(`${acts.join(' and ')} of ${counted(users, 'user')} now`);
}
