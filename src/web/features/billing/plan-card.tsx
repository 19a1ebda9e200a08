import { Button, Card, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { Failure } from '../../components/failure.tsx';
import { LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import type { Checkout } from './api.ts';
import { BILLING_SETTINGS, savingsPercent } from './plan-copy.ts';
import { PlanFeatures, PlanPrice } from './plan.tsx';
import { buttonLabel } from './pricing-copy.ts';
import { useSubscription } from './subscription-provider.tsx';

interface PlanCardProps {
  cycle: PlanType;
  onCycle: (cycle: PlanType) => void;
  checkout: Checkout;
  onStart: () => void;
  /** When the card is charged; null: the user has a subscription. */
  chargeNote: string | null;
}

export function PlanCard({ cycle, onCycle, checkout, onStart, chargeNote }: PlanCardProps) {
  const { isTrialAvailable, isOnTrial, hasActiveSubscription, subscription } = useSubscription();
  const yearly = (
    <>
      Yearly{' '}
      <Text span fz="sm" fw={600} c="var(--status-up)">
        Save {savingsPercent()}%
      </Text>
    </>
  );
  return (
    <Card component="section" aria-label="Plan" padding="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={{ base: 'xl', sm: 48 }}>
        <Stack gap="lg" justify="center">
          <SegmentedControl<PlanType>
            aria-label="Billing cycle"
            fullWidth
            value={cycle}
            onChange={onCycle}
            data={[
              { value: 'monthly', label: 'Monthly' },
              { value: 'yearly', label: yearly },
            ]}
          />
          <PlanPrice
            plan={cycle}
            withTrial={hasActiveSubscription ? isOnTrial : isTrialAvailable}
            isOwn={hasActiveSubscription && subscription?.planType === cycle}
          />
          <StartButton cycle={cycle} isProcessing={checkout.isProcessing} onStart={onStart} />
          {checkout.failure !== null && <Failure text={checkout.failure} />}
          <Muted>
            {chargeNote ?? (
              <>
                Change, cancel or renew your plan in{' '}
                <TextLink to={BILLING_SETTINGS}>Billing Settings</TextLink>.
              </>
            )}
          </Muted>
        </Stack>
        <PlanFeatures order={2} />
      </SimpleGrid>
    </Card>
  );
}

/** The longest label takes two lines on the narrowest screens; Mantine's line height would cut the second. */
const WRAPS = { label: { whiteSpace: 'normal', lineHeight: 1.3 } } as const;

interface StartButtonProps {
  cycle: PlanType;
  isProcessing: boolean;
  onStart: () => void;
}

function StartButton({ cycle, isProcessing, onStart }: StartButtonProps) {
  const { loading } = useAuth();
  const { isLoading, error, subscription, hasActiveSubscription } = useSubscription();
  const state = isProcessing ? 'processing' : checkoutState(subscription, hasActiveSubscription);
  const label = buttonLabel(state, cycle);
  if (state === 'payment_issue') {
    return (
      <LinkButton to={BILLING_SETTINGS} size="md" fullWidth h="auto" mih={42} py={8} styles={WRAPS}>
        {label}
      </LinkButton>
    );
  }
  return (
    <Button
      size="md"
      fullWidth
      onClick={onStart}
      loading={loading || isLoading}
      disabled={state !== 'may_subscribe' || error !== null}
    >
      {label}
    </Button>
  );
}
