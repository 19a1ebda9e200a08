import { Alert, Box, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PlatformStatus } from '#contract/shapes.ts';
import { counted } from '#core/labels.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { BannerLink } from '../../components/links.ts';
import { QuietStatus } from '../status/status-times.tsx';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { afterTrialCopy } from '../billing/plan-copy.ts';
import { NotLoaded } from './notices.tsx';
import { ResumeBanner } from './resume-banner.tsx';
import { StatusBanner } from './status-banner.tsx';

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  return (
    <Stack gap="sm">
      <LastStatus isInitialized={isInitialized} />
      {user?.resumeAt != null && <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} />}
      <TrialBanner />
    </Stack>
  );
}

/** While our server is unreachable, the notice above every page says so: the banner only keeps its space. */
function LastStatus({ isInitialized }: { isInitialized: boolean }) {
  const now = usePlatformStatus();
  const isUnreachable = now?.isUnreachable === true;
  const [last, setLast] = useState<PlatformStatus | null>(null);
  if (!isUnreachable && now !== last) setLast(now);
  return (
    <Box {...(isUnreachable && { style: { visibility: 'hidden' } })}>
      <Status status={isUnreachable ? last : now} isInitialized={isInitialized} />
    </Box>
  );
}

interface StatusProps {
  status: PlatformStatus | null;
  isInitialized: boolean;
}

/** What a disruption means depends on the settings, so no banner is shown without them. */
function Status({ status, isInitialized }: StatusProps) {
  const query = useUserStatus();
  if (status === null || status.status === 'UP') return <QuietStatus status={status} />;
  if (query.data === undefined && status.status !== 'UNKNOWN') {
    if (!hasFailed(query)) return <Skeleton h={96} data-testid="banner-placeholder" />;
    return <NotLoaded text="Meta has a disruption, but your settings couldn’t be loaded." query={query} />;
  }
  return <StatusBanner status={status} user={query.data} isInitialized={isInitialized} />;
}

function TrialBanner() {
  const { subscription, trialDaysRemaining, isTrialExpiringSoon } = useSubscription();
  if (!isTrialExpiringSoon || subscription === null || trialDaysRemaining === null) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      title={`Your trial ends soon: ${counted(trialDaysRemaining, 'day')} left`}
    >
      {afterTrialCopy(subscription)} <BannerLink to="/settings#billing">Go to Billing</BannerLink>
    </Alert>
  );
}
