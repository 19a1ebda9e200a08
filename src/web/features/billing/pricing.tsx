import {
  Alert,
  Badge,
  Box,
  Button,
  Card,
  Container,
  Group,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Suspense, lazy } from 'react';
import { useSearchParams } from 'react-router';
import type { PlanType } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { Failure } from '../../components/failure.tsx';
import { Faq, pricingQuestions } from '../../components/faq.tsx';
import { BannerLink, LinkButton, PrivacyLink, TermsLink, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { useSetParams } from '../../lib/use-set-params.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { BILLING_SETTINGS, planLabel, readCycle, savingsPercent } from '../subscription/plan-copy.ts';
import { RetrySubscription, useSubscription } from '../subscription/subscription-provider.tsx';
import { buttonLabel, pricingCopy } from './billing-copy.ts';
import { PlanFeatures, PlanPrice } from './plan.tsx';
import { useFailedConnection } from './use-failed-connection.ts';

const BENEFITS = [
  [
    'Don’t fund a broken auction',
    'While Meta’s delivery is down, your budget buys little. SmartPause stops spending as soon as Meta reports it.',
  ],
  [
    'Exactly as you left it',
    'Only running campaigns are paused, and exactly those resume. If you change one yourself, your change wins.',
  ],
  ['You always know', 'You get an email for every pause and resume, with the time and the reason.'],
];

/** What the user chose, and where they are on the way to the payment provider. */
function useCheckout() {
  const { loading } = useAuth();
  const { subscription, hasActiveSubscription, isLoading, error, createCheckoutSession } = useSubscription();
  const {
    mutate,
    isPending,
    isSuccess,
    error: refusal,
    reset,
  } = useMutation({
    mutationFn: createCheckoutSession,
    onSuccess: (address) => window.location.assign(address),
  });
  // The browser's back button may restore this page with its button still busy.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) reset();
  });
  const { cycle, isModalOpen, show } = usePricingAddress(subscription?.planType ?? 'monthly');
  return {
    cycle,
    isModalOpen,
    show,
    start: () => mutate(cycle),
    state: checkoutState(subscription, hasActiveSubscription),
    isLoading: loading || isLoading,
    isKnown: !loading && !isLoading && error === null,
    isProcessing: isPending || isSuccess,
    failure: <Failure error={refusal} otherwise="Failed to create checkout session" />,
  };
}

/** The address keeps plan and modal, and the rest of it stays. @param usual the plan if the address names none */
function usePricingAddress(usual: PlanType) {
  const [params] = useSearchParams();
  const change = useSetParams();
  const isModalOpen = params.get('modal') === 'open';
  // 'Back' closes the modal.
  const show = (cycle: PlanType, withModal: boolean) => {
    const modal = withModal ? { modal: 'open' } : { modal: null, error: null, missing: null };
    change({ cycle, ...modal }, isModalOpen || !withModal);
  };
  return { cycle: readCycle(params) ?? usual, isModalOpen, show };
}

/** Loaded only for a user without a plan: visitors wait for neither. */
const HeldNotice = lazy(async () => ({ default: (await import('../dashboard/held-notice.tsx')).HeldNotice }));
const OwnCampaigns = lazy(async () => ({ default: (await import('./own-campaigns.tsx')).OwnCampaigns }));

interface CheckoutProps {
  checkout: ReturnType<typeof useCheckout>;
  copy: ReturnType<typeof pricingCopy>;
}

export function Pricing() {
  const { user } = useAuth();
  const subscribed = useSubscription();
  const { subscription, hasActiveSubscription, isTrialAvailable, error } = subscribed;
  const checkout = useCheckout();
  const copy = pricingCopy(subscribed, checkout.cycle, useNow());
  return (
    <Container size={1140} py={{ base: 32, sm: 56 }}>
      <Box ta="center" maw={640} mx="auto" role={error === null ? undefined : 'alert'}>
        <PageHeading name="Plans" fz={{ base: 30, sm: 40 }} lh={1.15} lts={-0.8}>
          {copy.title}
        </PageHeading>
        <Text fz="lg" c="dimmed" my="sm" style={{ textWrap: 'balance' }}>
          {copy.text}
        </Text>
        {error !== null && <RetrySubscription />}
      </Box>
      <Stack maw={860} mx="auto" mt={{ base: 28, sm: 40 }} gap="md">
        {user?.isInitialized === true && checkout.isKnown && !hasActiveSubscription && (
          <Suspense>
            <HeldNotice />
          </Suspense>
        )}
        {user !== null && checkout.isKnown && checkout.state === 'may_subscribe' && (
          <Suspense fallback={<Skeleton h={300} />}>
            <OwnCampaigns />
          </Suspense>
        )}
        {checkout.state === 'payment_issue' && subscription !== null && (
          <Alert color="yellow" role="alert">
            {planLabel(subscription)}. To protect your campaigns again, use another card or pay the open
            invoice.{' '}
            <BannerLink to={BILLING_SETTINGS} style={{ whiteSpace: 'nowrap' }}>
              Go to Billing Settings
            </BannerLink>
          </Alert>
        )}
        <PlanCard {...{ checkout, copy }} />
      </Stack>
      {checkout.isKnown && checkout.state === 'may_subscribe' && (
        <Selling isTrialAvailable={isTrialAvailable} />
      )}
      <ConnectModal {...{ checkout, copy }} />
    </Container>
  );
}

function Selling({ isTrialAvailable }: { isTrialAvailable: boolean }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
        {BENEFITS.map(([benefit, how]) => (
          <Box key={benefit}>
            <Title order={2} fz="lg">
              {benefit}
            </Title>
            <Text c="dimmed" mt={6} lh={1.55}>
              {how}
            </Text>
          </Box>
        ))}
      </SimpleGrid>
      <Box component="section" aria-labelledby="faq" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
        <Title order={2} id="faq" fz={24} mb="md">
          Frequently asked questions
        </Title>
        <Faq questions={pricingQuestions(isTrialAvailable)} />
      </Box>
    </>
  );
}

function PlanCard({ checkout, copy }: CheckoutProps) {
  const { isTrialAvailable, isOnTrial, hasActiveSubscription, subscription } = useSubscription();
  const { cycle, state, show, isModalOpen, failure } = checkout;
  const yearly = (
    <>
      Yearly{' '}
      <Text span fz="sm" fw={600} c="var(--status-up)">
        Save {savingsPercent()}%
      </Text>
    </>
  );
  return (
    <Card component="section" aria-label="Plan" p={{ base: 'md', sm: 'xl' }}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={{ base: 'xl', sm: 48 }}>
        <Stack gap="lg">
          {state !== 'payment_issue' && (
            <SegmentedControl<PlanType>
              aria-label="Billing cycle"
              fullWidth
              value={cycle}
              onChange={(chosen) => show(chosen, isModalOpen)}
              data={[
                { value: 'monthly', label: 'Monthly' },
                { value: 'yearly', label: yearly },
              ]}
            />
          )}
          <PlanPrice
            plan={cycle}
            withTrial={hasActiveSubscription ? isOnTrial : isTrialAvailable}
            isOwn={hasActiveSubscription && subscription?.planType === cycle}
          />
          <StartButton {...checkout} />
          {!isModalOpen && failure}
          {hasActiveSubscription && (
            <LinkButton to="/" variant="default" size="md" fullWidth>
              Go to campaigns
            </LinkButton>
          )}
          <Charge {...copy} />
          {copy.chargeNote === null && state === 'subscribed' && (
            <Muted>
              Change, cancel or renew your plan in <TextLink to={BILLING_SETTINGS}>Billing Settings</TextLink>
              .
            </Muted>
          )}
        </Stack>
        <PlanFeatures order={2} />
      </SimpleGrid>
    </Card>
  );
}

function Charge({ charge, chargeNote }: Pick<CheckoutProps['copy'], 'charge' | 'chargeNote'>) {
  if (chargeNote === null) return null;
  return (
    <div>
      {charge !== null && (
        <Text fz="sm" fw={600} className="figures">
          {charge}
        </Text>
      )}
      <Muted>{chargeNote}</Muted>
    </div>
  );
}

/** The longest label takes two lines on the narrowest screens; Mantine's line height would cut the second. */
const WRAPS = { label: { whiteSpace: 'normal', lineHeight: 1.3 } } as const;

function StartButton({
  cycle,
  state,
  isProcessing,
  isLoading,
  isKnown,
  start,
  show,
}: CheckoutProps['checkout']) {
  const { user } = useAuth();
  const label = buttonLabel(isProcessing ? 'processing' : state, cycle);
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
      onClick={() => (user !== null ? start() : show(cycle, true))}
      loading={isLoading}
      disabled={isProcessing || state !== 'may_subscribe' || !isKnown}
    >
      {label}
    </Button>
  );
}

/** The two steps to a subscription: login with Facebook, then checkout (PRICE-03). */
function ConnectModal({ checkout, copy }: CheckoutProps) {
  const { user, login } = useAuth();
  const { isTrialAvailable } = useSubscription();
  const { cycle, state, isModalOpen, isKnown, isProcessing } = checkout;
  const failedConnection = useFailedConnection();
  const isConnected = user !== null;
  return (
    <Modal
      {...useDialogFocus(isModalOpen && isKnown && state === 'may_subscribe')}
      onClose={() => checkout.show(cycle, false)}
      padding="lg"
      title={isTrialAvailable ? 'Start your free trial in two steps' : 'Subscribe in two steps'}
    >
      <Stack gap="lg">
        {failedConnection !== null && (
          <Alert color="yellow" role="alert" py="xs">
            {failedConnection}
          </Alert>
        )}
        {checkout.failure}
        <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
          <Step mark={isConnected ? '✓' : 1} title="Connect your Facebook account">
            <Muted>
              {isConnected
                ? `Connected as ${user.name}`
                : 'We ask to see and manage your ads. We only pause and resume, and only where you turn SmartPause on.'}
            </Muted>
            {!isConnected && (
              <>
                <Button
                  {...STEP_BUTTON}
                  onClick={() => login(`/payment?modal=open&cycle=${cycle}`)}
                  data-autofocus
                >
                  Connect with Facebook
                </Button>
                <Muted fz="xs" mt="sm">
                  <TermsLink /> · <PrivacyLink />
                </Muted>
              </>
            )}
          </Step>
          <Step mark={2} isAhead={!isConnected} title="Payment">
            <Charge {...copy} />
            <Button
              {...STEP_BUTTON}
              onClick={checkout.start}
              disabled={!isConnected || isProcessing}
              data-autofocus={isConnected || undefined}
            >
              {isProcessing ? 'Processing...' : 'Continue to Payment'}
            </Button>
          </Step>
        </Stack>
      </Stack>
    </Modal>
  );
}

const STEP_BUTTON = { mt: 'sm', w: { base: '100%', xs: 'auto' } } as const;

interface StepProps {
  mark: 1 | 2 | '✓';
  title: string;
  /** Another step comes first. */
  isAhead?: boolean;
  children: ReactNode;
}

function Step({ mark, title, isAhead = false, children }: StepProps) {
  const look = mark === '✓' ? { color: 'green' } : isAhead ? { color: 'gray' } : { variant: 'filled' };
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="md">
      <Badge circle size="lg" {...look} aria-hidden="true">
        {mark}
      </Badge>
      <Box flex={1} {...(isAhead && { c: 'dimmed' })}>
        <Title order={3} fz="md" lh="26px">
          {title}
        </Title>
        {children}
      </Box>
    </Group>
  );
}
