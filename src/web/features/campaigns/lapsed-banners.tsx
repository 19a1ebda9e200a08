import { Alert, Stack } from '@mantine/core';
import { checkoutState } from '#core/billing/subscription.ts';
import { BannerLink } from '../../components/links.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { HeldNotice } from './held-notice.tsx';

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
