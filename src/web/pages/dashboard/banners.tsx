import { Stack } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { QuietStatus } from '../../components/status-times.tsx';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { lazyPart } from '../../browser/lazy-part.ts';

const StatusBanner = lazyPart(async () => (await import('./status-banner.tsx')).StatusBanner);
const ResumeBanner = lazyPart(async () => (await import('./resume-banner.tsx')).ResumeBanner);
const TrialBanner = lazyPart(async () => (await import('./trial-banner.tsx')).TrialBanner);

/** The banners that matter now; a quiet line when the level is UP. */
export function Banners({ isInitialized }: { isInitialized: boolean }) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const { isTrialExpiringSoon } = useSubscription();
  // They must also appear when the connection or the server fails a moment later.
  useEffect(() => {
    StatusBanner.preload();
    ResumeBanner.preload();
  }, []);
  return (
    <Stack gap="sm">
      {status === null || status.status === 'UP' ? (
        <QuietStatus status={status} />
      ) : (
        <Suspense fallback={<QuietStatus status={null} />}>
          <StatusBanner status={status} user={user} isInitialized={isInitialized} />
        </Suspense>
      )}
      {user?.resumeAt != null && (
        <Suspense>
          <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} />
        </Suspense>
      )}
      {isTrialExpiringSoon && (
        <Suspense>
          <TrialBanner />
        </Suspense>
      )}
    </Stack>
  );
}
