import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import {
  Alert,
  Box,
  Button,
  Card,
  Container,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { Failure } from '../../components/failure.tsx';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { BannerLink, LinkButton, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Step } from '../../components/step.tsx';
import { errorMessage } from '../../lib/api-client.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { HeldNotice } from '../campaigns/banners.tsx';
import { buttonLabel, pricingCopy } from './billing-copy.ts';
import {
  BILLING_SETTINGS,
  billedLabel,
  planLabel,
  pricePerMonth,
  readCycle,
  savingsPercent,
} from './plan-copy.ts';
import { PlanFeatures, PlanPrice } from './plan.tsx';
import { SubscriptionFailure, useSubscription } from './subscription-provider.tsx';

const BENEFITS = [
  {
    title: 'Don’t fund a broken auction',
    text: 'While Meta’s delivery is down, your budget buys little. SmartPause stops spending as soon as Meta reports it.',
  },
  {
    title: 'Exactly as you left it',
    text: 'Only running campaigns are paused, and exactly those resume. If you change one yourself, your change wins.',
  },
  {
    title: 'You always know',
    text: 'You get an email for every pause and resume, with the time and the reason.',
  },
];

export function Pricing() {
  const { user, loading } = useAuth();
  const { isLoading, error, ...subscribed } = useSubscription();
  const { subscription, hasActiveSubscription, isTrialAvailable } = subscribed;
  const { cycle, isModalOpen, show } = usePricingAddress(subscription?.planType ?? 'monthly');
  const checkout = useCheckout(cycle);
  const { title, text, chargeNote } = pricingCopy(subscribed, useNow());
  const state = checkoutState(subscription, hasActiveSubscription);
  const isKnown = !loading && !isLoading && error === null;
  return (
    <Container size="lg" py={{ base: 32, sm: 56 }}>
      <Box ta="center" maw={640} mx="auto">
        <PageHeading name="Plans" fz={{ base: 30, sm: 40 }} lh={1.15} lts={-0.8}>
          {title}
        </PageHeading>
        <Text fz="lg" c="dimmed" mt="sm" style={{ textWrap: 'balance' }}>
          {text}
        </Text>
      </Box>
      <Stack maw={860} mx="auto" mt={{ base: 28, sm: 40 }} gap="md">
        {user?.isInitialized === true && isKnown && !hasActiveSubscription && <HeldNotice />}
        {error !== null && (
          <Card>
            <SubscriptionFailure />
          </Card>
        )}
        {state === 'payment_issue' && subscription !== null && <PaymentIssue {...subscription} />}
        <PlanCard cycle={cycle} onCycle={(chosen) => show(chosen, isModalOpen)}>
          <StartButton
            cycle={cycle}
            isProcessing={checkout.isProcessing}
            onStart={() => (user !== null ? checkout.start() : show(cycle, true))}
          />
          {checkout.failure}
          <Muted>
            {(error === null && chargeNote) || (
              <>
                Change, cancel or renew your plan in{' '}
                <TextLink to={BILLING_SETTINGS}>Billing Settings</TextLink>.
              </>
            )}
          </Muted>
        </PlanCard>
      </Stack>
      <Benefits />
      <Box component="section" aria-labelledby="faq" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
        <Title order={2} id="faq" fz={24} mb="md">
          Frequently asked questions
        </Title>
        <Faq questions={pricingQuestions(isTrialAvailable)} />
      </Box>
      <ConnectModal
        opened={isModalOpen && isKnown && state === 'may_subscribe'}
        onClose={() => show(cycle, false)}
        {...{ cycle, checkout, chargeNote }}
      />
    </Container>
  );
}

function PaymentIssue(subscription: Subscription) {
  return (
    <Alert color="yellow" role="alert" title="There’s a problem with your payment" p="lg">
      <Text inherit className="figures">
        You already have a subscription: {planLabel(subscription)}. To protect your campaigns again, use
        another card or pay the open invoice.{' '}
        <BannerLink to={BILLING_SETTINGS}>Go to Billing Settings</BannerLink>
      </Text>
    </Alert>
  );
}

interface PlanCardProps {
  cycle: PlanType;
  onCycle: (cycle: PlanType) => void;
  /** Below the price. */
  children: ReactNode;
}

function PlanCard({ cycle, onCycle, children }: PlanCardProps) {
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
          {children}
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

interface ConnectModalProps {
  opened: boolean;
  onClose: () => void;
  cycle: PlanType;
  checkout: ReturnType<typeof useCheckout>;
  chargeNote: string | null;
}

/** The two steps to a subscription: login with Facebook, then checkout (PRICE-03). */
function ConnectModal({ opened, onClose, cycle, checkout, chargeNote }: ConnectModalProps) {
  const { user, login } = useAuth();
  const { isTrialAvailable } = useSubscription();
  const isConnected = user !== null;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isTrialAvailable ? 'Start your free trial in two steps' : 'Subscribe in two steps'}
    >
      <Stack component="ol" gap="lg" m={0} mb="lg" p={0} style={{ listStyle: 'none' }}>
        <Step mark={isConnected ? '✓' : 1} title="Connect your Facebook account">
          {isConnected ? (
            <Muted>Connected as {user.name}</Muted>
          ) : (
            <>
              <Muted>So we can see your campaigns. Nothing is paused until you turn SmartPause on.</Muted>
              <Button onClick={() => login(`/payment?modal=open&cycle=${cycle}`)} mt="sm" data-autofocus>
                Connect with Facebook
              </Button>
            </>
          )}
        </Step>
        <Step mark={2} title="Payment">
          <Muted className="figures">
            {pricePerMonth(cycle)} per month. {billedLabel(cycle, isTrialAvailable)}. {chargeNote}
          </Muted>
          <Button
            mt="sm"
            onClick={checkout.start}
            disabled={!isConnected || checkout.isProcessing}
            {...(isConnected && { 'data-autofocus': true })}
          >
            {checkout.isProcessing ? 'Processing...' : 'Continue to Payment'}
          </Button>
        </Step>
      </Stack>
      {checkout.failure}
    </Modal>
  );
}

function Benefits() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
      {BENEFITS.map(({ title, text }) => (
        <Box key={title}>
          <Title order={2} fz="lg">
            {title}
          </Title>
          <Text c="dimmed" mt={6} lh={1.55}>
            {text}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
  );
}

/** Leads to the payment provider. */
function useCheckout(cycle: PlanType) {
  const { createCheckoutSession } = useSubscription();
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: createCheckoutSession,
    onSuccess: (address) => window.location.assign(address),
  });
  // The browser's back button may restore this page with its button still busy.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) reset();
  });
  const failure = error && <Failure text={errorMessage('Failed to create checkout session', error)} />;
  return { start: () => mutate(cycle), isProcessing: isPending || isSuccess, failure };
}

/** The address keeps plan and modal, and the rest of it stays. @param usual the plan if the address names none */
function usePricingAddress(usual: PlanType) {
  const [params, setParams] = useSearchParams();
  const isModalOpen = params.get('modal') === 'open';
  const show = (cycle: PlanType, withModal: boolean) =>
    setParams(
      (before) => {
        before.set('cycle', cycle);
        if (withModal) before.set('modal', 'open');
        else before.delete('modal');
        return before;
      },
      // 'Back' closes the modal.
      { replace: isModalOpen || !withModal, preventScrollReset: true },
    );
  return { cycle: readCycle(params) ?? usual, isModalOpen, show };
}
