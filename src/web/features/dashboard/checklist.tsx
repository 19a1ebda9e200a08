import { Group, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { CheckMark } from '../../components/icons.tsx';
import { tabStorage } from '../../lib/storage.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import type { Banner } from '../banners/banner.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { useIsDisrupted, useUserStatus } from '../status/api.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';

const STEPS = [
  'Connect Meta',
  'Choose when to pause and resume',
  'Choose campaigns',
  'Run a test (optional)',
] as const;

/** In this tab the user has seen the open checklist, or dismissed the finished one. */
const KEY = 'checklist';

export function useSetup(): { setup: DashboardFacts['setup']; dismissSetup: () => void } {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const hasChosen = useUserStatus().data?.hasChosenCampaigns !== false;
  const [seen, setSeen] = useState(() => tabStorage.read(KEY));
  const note = (next: 'open' | 'dismissed') => {
    tabStorage.write(KEY, next);
    setSeen(next);
  };
  const isFinished = isInitialized && hasChosen;
  if (!isFinished && seen !== 'open') note('open');
  return {
    setup: isFinished && seen !== 'open' ? null : { isFinished, hasTest },
    dismissSetup: () => note('dismissed'),
  };
}

/** Before, the checklist has the button. In a disruption other acts matter. */
export function useMayTest(): boolean {
  const { isInitialized } = useUser();
  const hasTest = useHasCapability('test_run');
  const { hasActiveSubscription } = useSubscription();
  const isDisrupted = useIsDisrupted();
  const hasChosen = useUserStatus().data?.hasChosenCampaigns === true;
  return isInitialized && hasTest && hasActiveSubscription && !isDisrupted && hasChosen;
}

export function Steps({ done, count }: NonNullable<Banner['steps']>) {
  const isTested = useUserStatus().data?.hasTested === true;
  const isDone = (index: number) => index < done || (index === STEPS.length - 1 && isTested);
  return (
    <Group component="ol" p={0} m={0} style={{ listStyle: 'none', columnGap: 20, rowGap: 2 }}>
      {STEPS.slice(0, count).map((step, index) => (
        <Group key={step} component="li" gap={6} wrap="nowrap" {...(isDone(index) && { c: 'dimmed' })}>
          {isDone(index) ? <CheckMark /> : `${index + 1}.`}
          <span>
            {isDone(index) && <VisuallyHidden>Done: </VisuallyHidden>}
            {step}
          </span>
        </Group>
      ))}
    </Group>
  );
}
