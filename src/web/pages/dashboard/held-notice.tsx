import { Alert, Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { checkoutState } from '#core/billing/subscription.ts';
import { useHeldCount, useUserStatus } from '../../api/queries.ts';
import { useSubscription } from '../../subscription.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { heldWords } from './held-words.ts';
import { CAMPAIGNS_WITHOUT_ACCESS } from './lapsed-address.ts';

/** Somebody's subscription may end while their campaigns are held: they see that, whatever else is offered to them. */
export function HeldNotice({ isOnDashboard = false }: { isOnDashboard?: boolean }) {
  const count = useHeldCount();
  const { data: person } = useUserStatus();
  const now = useNow();
  if (count === 0) return null;
  const resumeAt = person?.resumeAt == null ? null : Date.parse(person.resumeAt);
  const { title, text } = heldWords(count, resumeAt, now);
  return (
    <Alert role="status" color="orange" title={title}>
      {text}
      {!isOnDashboard && (
        <>
          {' '}
          <Anchor
            component={Link}
            to={CAMPAIGNS_WITHOUT_ACCESS}
            inherit
            c="inherit"
            fw={600}
            underline="always"
          >
            See them, or resume them yourself
          </Anchor>
        </>
      )}
    </Alert>
  );
}

/** Above the campaigns of somebody who may only give back: why, and how. */
export function LapsedBanners() {
  const { subscription, hasActiveSubscription } = useSubscription();
  const maySubscribe = checkoutState(subscription, hasActiveSubscription) === 'may_subscribe';
  return (
    <Stack gap="sm">
      <HeldNotice isOnDashboard />
      <Alert role="note" color="blue" title="SmartPause pauses nothing new">
        Without a subscription you can still turn SmartPause off for a campaign, and then resume it by hand.{' '}
        <Anchor
          component={Link}
          to={maySubscribe ? '/payment' : '/settings#billing'}
          inherit
          c="inherit"
          fw={600}
          underline="always"
        >
          {maySubscribe ? 'See plans' : 'Go to Billing'}
        </Anchor>
      </Alert>
    </Stack>
  );
}
