import { Alert, Skeleton, Stack } from '@mantine/core';
import { counted } from '#core/labels.ts';
import { hasFailed } from '../../api/has-failed.ts';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { BannerLink } from '../../components/links.ts';
import { QuietStatus } from '../../components/status-times.tsx';
import { useSubscription } from '../../subscription.tsx';
import { afterTrialCopy } from '../../text/plan-copy.ts';
import { NotLoaded } from './not-loaded.tsx';
import { ResumeBanner } from './resume-banner.tsx';
import { StatusBanner } from './status-banner.tsx';

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  return (
    <Stack gap="sm">
      <Status isInitialized={isInitialized} />
      {user?.resumeAt != null && <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} />}
      <TrialBanner />
    </Stack>
  );
}

/** What a disruption means depends on the settings, so no banner is shown without them. */
function Status({ isInitialized }: { isInitialized: boolean }) {
  const status = usePlatformStatus();
  const query = useUserStatus();
  // The notice above every page says so.
  if (status?.isUnreachable === true) return null;
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
