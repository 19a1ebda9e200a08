import {
  Badge,
  Box,
  Button,
  Card,
  Divider,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import type { PlanType } from '#core/billing/subscription.ts';
import { useAuth } from '../../auth.tsx';
import { CheckMark } from '../../components/check-mark.tsx';
import { Failure } from '../../components/failure.tsx';
import { useSubscription } from '../../subscription.tsx';
import { BILLING_SETTINGS } from './address.ts';
import { FEATURES } from './features.ts';
import { buttonState, buttonLabel } from './button-state.ts';
import { billedLabel, pricePerMonth, savingsPercent } from '../../text/plan-copy.ts';
import classes from './pricing.module.css';
import type { Checkout } from './use-checkout.ts';
import { Muted } from '../../components/muted.ts';
import { LinkButton, TextLink } from '../../components/links.ts';

interface PlanCardProps {
  cycle: PlanType;
  onCycle: (cycle: PlanType) => void;
  checkout: Checkout;
  onStart: () => void;
  small: string | null;
}

export function PlanCard({ cycle, onCycle, checkout, onStart, small }: PlanCardProps) {
  const { isTrialAvailable, isOnTrial, hasActiveSubscription, subscription } = useSubscription();
  const withTrial = hasActiveSubscription ? isOnTrial : isTrialAvailable;
  const isExternal = hasActiveSubscription && subscription?.planType === cycle;
  return (
    <Card component="section" aria-label="Plan" padding={0}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={0}>
        <Stack p={{ base: 'lg', sm: 'xl' }} gap="lg" justify="center">
          <CycleToggle cycle={cycle} onCycle={onCycle} />
          <Box>
            <Group align="baseline" gap={6}>
              <Text span fz={44} fw={700} lh={1} lts={-1.5} className="figures">
                {pricePerMonth(cycle)}
              </Text>
              <Text span c="dimmed">
                per month
              </Text>
              {isExternal && <Badge color="green">Your plan</Badge>}
            </Group>
            <Muted mt={8} aria-live="polite">
              {billedLabel(cycle, withTrial)}
            </Muted>
          </Box>
          <StartButton cycle={cycle} checkout={checkout} onStart={onStart} />
          {checkout.failure !== null && <Failure text={checkout.failure} />}
          <SmallPrint text={small} />
        </Stack>
        <Features />
      </SimpleGrid>
    </Card>
  );
}

function CycleToggle({ cycle, onCycle }: Pick<PlanCardProps, 'cycle' | 'onCycle'>) {
  return (
    <SegmentedControl<PlanType>
      aria-label="Billing cycle"
      fullWidth
      value={cycle}
      onChange={onCycle}
      data={[
        { value: 'monthly', label: 'Monthly' },
        {
          value: 'yearly',
          label: (
            <>
              Yearly{' '}
              <Text span fz="sm" fw={600} c="var(--status-up)">
                Save {savingsPercent()}%
              </Text>
            </>
          ),
        },
      ]}
    />
  );
}

/** The longest label takes two lines on the narrowest screens; Mantine's line height would cut the second. */
const WRAPS = { label: { whiteSpace: 'normal', lineHeight: 1.3 } } as const;

function StartButton({ cycle, checkout, onStart }: Pick<PlanCardProps, 'cycle' | 'checkout' | 'onStart'>) {
  const { loading } = useAuth();
  const { isLoading, error, ...subscribed } = useSubscription();
  const state = buttonState({ ...subscribed, isProcessing: checkout.isProcessing });
  const isUnclear = loading || isLoading;
  if (state === 'payment_issue') {
    return (
      <LinkButton to={BILLING_SETTINGS} size="md" fullWidth h="auto" mih={42} py={8} styles={WRAPS}>
        {buttonLabel(state, cycle)}
      </LinkButton>
    );
  }
  return (
    <Button
      size="md"
      fullWidth
      onClick={onStart}
      loading={isUnclear}
      disabled={state !== 'may_subscribe' || error !== null}
    >
      {buttonLabel(state, cycle)}
    </Button>
  );
}

function SmallPrint({ text }: { text: string | null }) {
  if (text !== null) {
    return <Muted>{text}</Muted>;
  }
  return (
    <Muted>
      Change, cancel or renew your plan in <TextLink to={BILLING_SETTINGS}>Billing Settings</TextLink>.
    </Muted>
  );
}

function Features() {
  return (
    <Box p={{ base: 'lg', sm: 'xl' }} className={classes.features ?? ''}>
      <Title order={2} fz="md">
        Both plans include everything
      </Title>
      <Divider my="md" />
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {FEATURES.map((feature) => (
          <Group component="li" key={feature} gap="sm" wrap="nowrap" align="flex-start">
            <Box pt={2} lh={0}>
              <CheckMark />
            </Box>
            <Text fz="sm">{feature}</Text>
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
