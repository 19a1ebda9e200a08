import { useSearchParams } from 'react-router';
import { LinkButton } from '../../components/links.ts';
import { MessagePage } from '../../components/message-page.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { subscriptionText } from './billing-copy.ts';
import { nextStep } from './checkout-copy.ts';
import { BILLING_SETTINGS, paymentAddress, readCycle } from './plan-copy.ts';
import { useSubscription } from './subscription-provider.tsx';

/** The cancel page of the checkout. The user may have a subscription all the same. */
export function CheckoutCanceled() {
  const { loading } = useAuth();
  const [params] = useSearchParams();
  const { subscription, isLoading } = useSubscription();
  const now = useNow();
  const next = nextStep(subscription, now);
  if (loading || isLoading) return <PagePlaceholder />;
  return (
    <MessagePage
      title="Payment canceled"
      text={`You left checkout before paying. You weren’t charged.${subscription === null ? '' : ` ${subscriptionText(subscription, now)}`}`}
    >
      {next === 'plans' && <LinkButton to={paymentAddress(readCycle(params))}>See plans</LinkButton>}
      {next === 'billing' && <LinkButton to={BILLING_SETTINGS}>Go to Billing</LinkButton>}
      <LinkButton to="/" {...(next !== 'campaigns' && { variant: 'default' })}>
        Return home
      </LinkButton>
    </MessagePage>
  );
}
