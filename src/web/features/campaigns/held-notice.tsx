import { Alert } from '@mantine/core';
import { useUserStatus } from '../status/api.ts';
import { useNow } from '../../lib/use-now.ts';
import { heldCopy } from './held-copy.ts';
import { CAMPAIGNS_WITHOUT_ACCESS } from './list-address.ts';
import { BannerLink } from '../../components/links.ts';

/** Shown on home and dashboard: campaigns may stay paused by SmartPause after a subscription ends. */
export function HeldNotice({ isOnDashboard = false }: { isOnDashboard?: boolean }) {
  const { data: user } = useUserStatus();
  const now = useNow();
  const count = user?.heldCampaigns ?? 0;
  if (count === 0) return null;
  const resumeAt = user?.resumeAt == null ? null : Date.parse(user.resumeAt);
  const { title, text } = heldCopy(count, resumeAt, now);
  return (
    <Alert role="status" color="orange" title={title}>
      {text}
      {!isOnDashboard && (
        <>
          {' '}
          <BannerLink to={CAMPAIGNS_WITHOUT_ACCESS}>See them, or resume them yourself</BannerLink>
        </>
      )}
    </Alert>
  );
}
