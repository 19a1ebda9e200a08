import { Stack } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import type { HeldAccount } from '#contract/shapes.ts';
import { QuietStatus } from '../../components/status-times.tsx';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { lazyPart } from '../../browser/lazy-part.ts';

const StatusBanner = lazyPart(async () => (await import('./status-banner.tsx')).StatusBanner);
const ResumeBanner = lazyPart(async () => (await import('./resume-banner.tsx')).ResumeBanner);
const TrialBanner = lazyPart(async () => (await import('./trial-banner.tsx')).TrialBanner);
const ResumeNow = lazyPart(async () => (await import('./resume-now/resume-now.tsx')).ResumeNow);

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
  // Kept here: the banner goes as soon as nothing is held, the dialog stays until it is closed.
  const [resuming, setResuming] = useState<{ accounts: readonly HeldAccount[]; at: number } | null>(null);
  const onResumeNow = (accounts: readonly HeldAccount[]) => setResuming({ accounts, at: performance.now() });
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
          <ResumeBanner user={user} resumeAt={Date.parse(user.resumeAt)} onResumeNow={onResumeNow} />
        </Suspense>
      )}
      {isTrialExpiringSoon && (
        <Suspense>
          <TrialBanner />
        </Suspense>
      )}
      {resuming !== null && (
        <Suspense>
          {/* A press while the last dialog is still being removed opens a new one. */}
          <ResumeNow key={resuming.at} accounts={resuming.accounts} onClosed={() => setResuming(null)} />
        </Suspense>
      )}
    </Stack>
  );
}
