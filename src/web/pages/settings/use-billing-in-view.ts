import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useSubscription } from '../../subscription.tsx';

/** What the billing portal's way back carries. */
const FROM = 'from';
const FROM_BILLING = 'billing';

/**
 * Whoever comes for billing finds it at once, and whoever comes from the portal finds what they have just changed
 * there: the payment provider is asked, since its webhook may be late.
 */
export function useBillingInView() {
  const card = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const [params, setParams] = useSearchParams();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get(FROM) === FROM_BILLING;
  const isWanted = isFromPortal || hash === '#billing';

  // At the top of the window it stays where it is while what is above it still grows.
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView({ block: 'start' });
  }, [isWanted]);
  useEffect(() => {
    if (!isFromPortal) return;
    const forget = () =>
      setParams(
        (before) => {
          const rest = new URLSearchParams(before);
          rest.delete(FROM);
          return rest;
        },
        { replace: true, preventScrollReset: true },
      );
    // A failure changes nothing that is shown; the next webhook or reading brings the news.
    refreshSubscription().then(forget, forget);
  }, [isFromPortal, refreshSubscription, setParams]);
  return card;
}
