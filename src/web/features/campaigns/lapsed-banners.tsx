import { Alert, Stack } from '@mantine/core';
import { checkoutState } from '#core/billing/subscription.ts';
import { BannerLink } from '../../components/links.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { CAMPAIGNS_WITHOUT_ACCESS } from './list-address.ts';
import { lapsedCopy } from './outage-copy.ts';

/** For a user without a subscription: which actions are left, and how to subscribe. */
export function LapsedBanners() {
  const { subscription, hasActiveSubscription } = useSubscription();
  const maySubscribe = checkoutState(subscription, hasActiveSubscription) === 'may_subscribe';
  return (
    <Stack gap="sm">
      <HeldNotice isOnDashboard />
      <Alert role="note" color="blue" title="New outages won’t pause your campaigns">
        Without a subscription you can still turn SmartPause off for a campaign and resume it manually.{' '}
        <BannerLink to={maySubscribe ? '/payment' : '/settings#billing'}>
          {maySubscribe ? 'See plans' : 'Go to Billing'}
        </BannerLink>
      </Alert>
    </Stack>
  );
}

/** Campaigns may stay paused by SmartPause after a subscription ends. */
export function HeldNotice({ isOnDashboard = false }: { isOnDashboard?: boolean }) {
  const { data: user } = useUserStatus();
  const now = useNow();
  const count = user?.heldCampaigns ?? 0;
  if (count === 0) return null;
  const resumeAt = user?.resumeAt == null ? null : Date.parse(user.resumeAt);
  const { title, text } = lapsedCopy(count, resumeAt, now);
  return (
    <Alert role="status" color="orange" title={title}>
      {text}{' '}
      {!isOnDashboard && (
        <BannerLink to={CAMPAIGNS_WITHOUT_ACCESS}>See them, or resume them yourself</BannerLink>
      )}
    </Alert>
  );
}
