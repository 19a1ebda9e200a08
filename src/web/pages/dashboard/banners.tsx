import { Stack } from '@mantine/core';
import { QuietStatus } from '../../components/status-times.tsx';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { StatusBanner } from './status-banner.tsx';
import { ResumeBanner } from './resume-banner.tsx';
import { TrialBanner } from './trial-banner.tsx';

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const shown = usePlatformStatus();
  // The notice of the connection says that the status could not be read.
  const status = shown?.isUnreachable === true ? null : shown;
  const { data: user } = useUserStatus();
  const { isTrialExpiringSoon } = useSubscription();
  return (
    <Stack gap="sm">
      {status === null || status.status === 'UP' ? (
        <QuietStatus status={status} />
      ) : (
        <StatusBanner status={status} user={user} isInitialized={isInitialized} />
      )}
      {user?.resumeAt != null && <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} />}
      {isTrialExpiringSoon && <TrialBanner />}
    </Stack>
  );
}
